import type { AgentDecoded } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { refusingLayer } from './contract-rules.ts'
import type { Examination } from './examination.ts'
import { placeKey } from './policy-names.ts'

/** Whether every contract that is called is on the lists, with the method that is called. */
export function checkContracts(
  { contracts, names }: Compiled,
  { chain, effects }: AgentDecoded,
  examination: Examination,
): boolean {
  return effects.every(({ kind, contract, selector }) => {
    if (kind !== 'call' && kind !== 'unknown') return true
    const refusing =
      contract === null
        ? 'organization'
        : refusingLayer(contracts, placeKey(chain.handle, contract, names), selector)
    return examination.check(
      refusing === null,
      { reason: 'contract_call_not_allowed', layer: refusing ?? 'organization', rule: 'allowed_contracts' },
      { limit: () => null, actual: () => (selector === null ? contract : `${contract} ${selector}`) },
    )
  })
}
