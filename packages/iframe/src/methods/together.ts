import type { SignPreview } from '@symbolon/networks/browser'
import { FrameFailure } from '../frame-failure.ts'

/** The most actions in one dialog: nobody reads more. */
const actionsMax = 256

/**
 * What transactions do together, in order, and what they cost. `invalid_payload` if one dialog cannot show that: too many actions, several
 * senders, or fees in several assets.
 */
export function together(previews: readonly SignPreview[]): SignPreview {
  const [first] = previews
  const actions = previews.flatMap((each) => each.actions)
  if (first === undefined || actions.length > actionsMax)
    throw oneByOne('These transactions do too much to be shown together.')
  const fees = previews.flatMap(({ fee }) => fee ?? [])
  const asset = fees[0]?.asset
  if (previews.some(({ from }) => from !== first.from) || fees.some((fee) => fee.asset !== asset))
    throw oneByOne('These transactions have several senders or fees in several assets.')
  return {
    ...first,
    title: `${previews.length} transactions`,
    actions,
    warnings: [...new Set(previews.flatMap(({ warnings }) => warnings))],
    fee:
      asset === undefined
        ? null
        : { asset, amount: fees.reduce((sum, { amount }) => sum + BigInt(amount), 0n).toString() },
    expires_at: null,
  }
}

const oneByOne = (problem: string) =>
  new FrameFailure('invalid_payload', { message: `${problem} Sign them one by one.` })
