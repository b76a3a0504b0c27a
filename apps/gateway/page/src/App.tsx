/** The page: the sign-in, and after it the screens beside the list of sessions. */
import { GatewayError } from "@bough/client"
import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  useQuery,
  useQueryClient
} from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { Router } from "wouter"
import { useHashLocation } from "wouter/use-hash-location"
import * as account from "./api/account.ts"
import { SignIn } from "./screens/SignIn.tsx"
import { Shell } from "./Shell.tsx"

/** Shows the sign-in screen after a query or a mutation that failed with status 401. */
const onError = (error: Error): void => {
  if (error instanceof GatewayError && error.status === 401) queries.setQueryData(["me"], null)
}

// Requests are also made while the browser reports no network, because the gateway may be on this machine. A failed
// request is reported, whereas a request that waits for a network would lose the user's message.
const networkMode = "always"

const queries: QueryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 1_000, networkMode }, mutations: { networkMode } },
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError })
})

export const App = () => (
  <QueryClientProvider client={queries}>
    <Router hook={useHashLocation}>
      <Gate />
    </Router>
  </QueryClientProvider>
)

const Gate = () => {
  const [secret] = useState(account.takeLinkSecret)
  const [linkError, setLinkError] = useState<Error | null>(null)
  const client = useQueryClient()
  const onRefusal = (error: Error): null => {
    setLinkError(error)
    return null
  }
  const me = useQuery({
    queryKey: ["me"],
    queryFn: () => (secret === null ? account.currentAccount() : account.signInByLink(secret).catch(onRefusal)),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false
  })
  useEffect(() => {
    if (me.data === null) client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" })
  }, [client, me.data])
  if (me.isPending) return <p className="loading">Loading…</p>
  if (me.data === null || me.data === undefined) {
    return <SignIn error={linkError ?? me.error} onSignedIn={(signedIn) => client.setQueryData(["me"], signedIn)} />
  }
  return <Shell account={me.data} />
}
