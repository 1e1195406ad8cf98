import type { EffectivePolicy } from '@symbolon/sdk/portal'

/** Whether what holds lets all that a wallet has go to anybody: no total and no list of recipients. */
export function isBoundless(policy: EffectivePolicy): boolean {
  const { max_spend_total_native: total, allowed_recipients, allowed_chains, allowed_methods } = policy
  const maySend = allowed_methods === null || allowed_methods.includes('sendTransaction')
  return total === null && allowed_recipients === null && allowed_chains?.length !== 0 && maySend
}

/** What being without limits comes to, in a sentence. */
export function boundlessText({
  hasEveryChain,
  isEndless,
}: {
  hasEveryChain: boolean
  isEndless: boolean
}): string {
  return `It may send all that its wallet has, to anybody${hasEveryChain ? ', on every chain' : ''}${isEndless ? ', and that never ends' : ''}.`
}
