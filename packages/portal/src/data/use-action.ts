import { type Result, unwrap } from '@symbolon/sdk/portal'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../ui/toasts.tsx'
import { useOrganizationId } from './organization.tsx'

/** A change by the API, ready to be made with an input. */
export type Action<input = void, data = unknown> = UseMutationResult<data, unknown, input>

/**
 * A change by the API: `run` makes it, `changes` names the queries to reload afterwards (`orgs`, or those of the open company),
 * `done` is the toast when it worked. Show its `error` next to the button.
 */
export type ActionOptions<input, data> = {
  run: (input: input) => Promise<Result<data>>
  changes?: readonly string[]
  done?: string | ((input: input, data: data) => string)
  onDone?: (data: data, input: input) => void
}

/** Prepares a change by the API. */
export function useAction<input = void, data = unknown>({
  run,
  changes = [],
  done,
  onDone,
}: ActionOptions<input, data>): Action<input, data> {
  const client = useQueryClient()
  const orgID = useOrganizationId()
  const toast = useToast()
  return useMutation<data, unknown, input>({
    mutationFn: async (input) => unwrap(await run(input)) as data,
    onSuccess: async (data, input) => {
      onDone?.(data, input)
      if (done !== undefined) toast(typeof done === 'string' ? done : done(input, data))
      const keys = changes.map((name) => (name === 'orgs' ? [name] : ['org', orgID, name]))
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
