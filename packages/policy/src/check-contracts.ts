import type { AgentDecoded } from '@symbolon/networks'
import type { Compiled } from './compile.ts'
import { contractRefusal } from './contract-rules.ts'
import type { Examination } from './examination.ts'
import { placeKey } from './policy-names.ts'

/** Whether every contract that is called is on the lists, with the method that is called. */
export function checkContracts(
  compiled: Compiled,
  { chain, effects }: AgentDecoded,
  examination: Examination,
): boolean {
  return effects.every((effect) => {
    const { kind, contract, selector } = effect
    if (kind !== 'call' && kind !== 'unknown') return true
    const refusing =
      contract === null
        ? ({ layer: 'organization', rule: 'allowed_contracts' } as const)
        : contractRefusal(compiled, placeKey(chain.handle, contract, compiled.names), effect)
    return examination.check(
      refusing === null,
      {
        reason: 'contract_call_not_allowed',
        isOfEach: true,
        ...(refusing ?? { layer: 'organization', rule: 'allowed_contracts' }),
      },
      { limit: () => null, actual: () => (selector === null ? contract : `${contract} ${selector}`) },
    )
  })
}
