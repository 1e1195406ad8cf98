import { type Result, unwrap } from '@symbolon/sdk/portal'
import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toasts.tsx'

/**
 * A change that somebody makes: `run` calls the API, `changes` are the answers that are asked for anew afterwards, `done` is
 * said when it worked. What went wrong is `error`, for the place where the button is.
 */
export function useAction<input, data>({
  run,
  changes = [],
  done,
  onDone,
}: {
  run: (input: input) => Promise<Result<data>>
  changes?: readonly QueryKey[]
  done?: string | ((input: input) => string)
  onDone?: (data: data, input: input) => void
}): UseMutationResult<data, unknown, input> {
  const client = useQueryClient()
  return useMutation<data, unknown, input>({
    mutationFn: async (input) => unwrap(await run(input)) as data,
    onSuccess: async (data, input) => {
      onDone?.(data, input)
      if (done !== undefined) toast(typeof done === 'string' ? done : done(input))
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
