#!/usr/bin/env node
/** The entry of the `bough-gateway` command. */
import { main } from "../main.ts"

main()
