/** The account menu: the signed-in user, the colours of the page, and signing out. */
import * as Menu from "@radix-ui/react-dropdown-menu"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useContext, useState } from "react"
import { signOut } from "../api/account.ts"
import { AccountContext } from "./AccountContext.ts"
import { type Colours, colours, setColours } from "./colours.ts"

export const AccountMenu = () => {
  const account = useContext(AccountContext)
  const client = useQueryClient()
  const [chosen, setChosen] = useState(colours)
  const leave = useMutation({ mutationFn: signOut, onSettled: () => client.setQueryData(["me"], null) })
  return (
    // Not modal: a modal menu puts a style element into the page, which its policy does not allow.
    <Menu.Root modal={false}>
      <Menu.Trigger className="button quiet account">{account?.user}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu" side="top" align="start" sideOffset={4}>
          <Menu.Label>
            {account?.user} of {account?.tenant}
          </Menu.Label>
          <Menu.RadioGroup
            value={chosen}
            onValueChange={(value) => {
              setColours(value as Colours)
              setChosen(value as Colours)
            }}
          >
            {(["system", "light", "dark"] as const).map((value) => (
              <Menu.RadioItem key={value} value={value} className="menu-item">
                <Menu.ItemIndicator>✓</Menu.ItemIndicator>
                {value === "system" ? "Colours of the system" : `${value === "light" ? "Light" : "Dark"} colours`}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Separator className="menu-line" />
          <Menu.Item className="menu-item" asChild>
            <a href="reference" target="_blank" rel="noreferrer">
              API reference
            </a>
          </Menu.Item>
          <Menu.Item className="menu-item" onSelect={() => leave.mutate()}>
            Sign out
          </Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  )
}
