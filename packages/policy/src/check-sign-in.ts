import type { AgentDecoded } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { type Examination, listText } from './examination.ts'

/** Whether a message that logs in does so where every list allows it, and says so without a doubt. */
export function checkSignIn(
  { signIns: { unlisted, lists } }: Compiled,
  { signIn }: AgentDecoded,
  examination: Examination,
): boolean {
  if (signIn === undefined) return true
  const { domain } = signIn
  const about = { reason: 'sign_in_not_allowed', rule: 'allowed_sign_in_domains' } as const
  if (unlisted !== null) {
    return examination.check(
      false,
      { ...about, layer: unlisted },
      { limit: () => null, actual: () => domain },
    )
  }
  return lists.every(({ layer, keys, list }) =>
    examination.check(
      domain !== null && keys.has(domain),
      { ...about, layer },
      { limit: () => listText(list), actual: () => domain },
    ),
  )
}
