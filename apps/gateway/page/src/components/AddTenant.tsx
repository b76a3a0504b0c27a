/** The form with which operators add a tenant. Users are added to a tenant later. */
import { dataOf } from "@bough/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { gateway } from "../api/gateway.ts"

export const AddTenant = () => {
  const client = useQueryClient()
  const [id, setId] = useState("")
  const add = useMutation({
    mutationFn: (tenant: string) => dataOf(gateway.api.POST("/api/v1/tenants", { body: { tenant, name: tenant } })),
    onSuccess: () => setId(""),
    onSettled: () => client.invalidateQueries({ queryKey: ["tenants"] })
  })
  return (
    <>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(id.trim())
        }}
      >
        <label>
          <span className="visually-hidden">Id of the new tenant</span>
          <input
            placeholder="Id of a new tenant: lower-case letters, digits, dots, dashes, underscores"
            value={id}
            onChange={(event) => setId(event.target.value)}
          />
        </label>
        <button className="button primary" disabled={id.trim() === "" || add.isPending}>
          Add a tenant
        </button>
      </form>
      {add.error !== null && (
        <p className="error" role="alert">
          {add.error.message}
        </p>
      )}
    </>
  )
}
