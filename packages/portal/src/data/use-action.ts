import { type Result, unwrap } from '@symbolon/sdk/portal'
import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../ui/toasts.tsx'

/** A change by the API, ready to be made with an input. */
export type Action<input = void, data = unknown> = UseMutationResult<data, unknown, input>

/**
 * A change through the API: `run` calls it, `changes` are the queries to reload afterwards, `done` is the toast when it worked.
 * Show its `error` next to the button.
 */
export function useAction<input = void, data = unknown>({
  run,
  changes = [],
  done,
  onDone,
}: {
  run: (input: input) => Promise<Result<data>>
  changes?: readonly QueryKey[]
  done?: string | ((input: input) => string)
  onDone?: (data: data, input: input) => void
}): Action<input, data> {
  const client = useQueryClient()
  const toast = useToast()
  return useMutation<data, unknown, input>({
    mutationFn: async (input) => unwrap(await run(input)) as data,
    onSuccess: async (data, input) => {
      onDone?.(data, input)
      if (done !== undefined) toast(typeof done === 'string' ? done : done(input))
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
