import type { Sql } from '../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../ports/enclave.ts'
import { type Failure, failure } from '../../runtime/failure.ts'
import { checkRing } from './rings.ts'

/** What frames of operators are carried with. */
export type OperatorFramesCtx = { sql: Sql; enclave: Pick<Enclave, 'operator' | 'status'> }

/** Carries an operator's frame to the enclave and answers the enclave's. Throws `EnclaveError` where the enclave is away, or too many are under way. */
export type CarryOperatorFrame = (
  frame: Uint8Array,
) => Promise<Uint8Array | Failure<'invalid_request' | 'forbidden'>>

// Anybody may send them: half a megabyte at most stands between requests and the enclave.
const atOnceMax = 8
const refused =
  'The enclave refused this frame: its sender is not an operator in the manifest, or its order is not valid for this boot.'

/** The carrier of one process. */
export function operatorFrames(ctx: OperatorFramesCtx): CarryOperatorFrame {
  let underWay = 0
  return async (frame) => {
    if (underWay >= atOnceMax) throw new EnclaveError('unavailable', 'too many frames of operators')
    underWay += 1
    try {
      const answer = await ctx.enclave.operator(frame)
      await recordRing(ctx)
      return answer
    } catch (error) {
      return refusalOf(error)
    } finally {
      underWay -= 1
    }
  }
}

function refusalOf(error: unknown): Failure<'invalid_request' | 'forbidden'> {
  if (!(error instanceof EnclaveError)) throw error
  if (error.code === 'invalid_payload')
    return failure('invalid_request', { message: 'This is not an operator’s frame.', cause: error })
  if (error.code === 'refused') return failure('forbidden', { message: refused, cause: error })
  throw error
}

/** The order may have been a rotation: an enclave that loses its version must not serve, even before a wallet names it. */
async function recordRing({ sql, enclave }: OperatorFramesCtx): Promise<void> {
  try {
    await checkRing(sql, await enclave.status())
  } catch {
    // It was executed, whatever is away by now; the next channel to the enclave records its version, too.
  }
}
