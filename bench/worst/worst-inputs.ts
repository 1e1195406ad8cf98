import type { routes } from '@symbolon/api'
import { agentInputs } from './agent-inputs.ts'
import { portalInputs } from './portal-inputs.ts'
import { walletInputs } from './wallet-inputs.ts'
import type { WorstInputs } from './worst-input.ts'

/** The worst accepted inputs of every route, by its name. A route without an entry does not compile. */
export const worstInputs = {
  ...walletInputs,
  ...agentInputs,
  ...portalInputs,
} satisfies Record<keyof typeof routes, WorstInputs>
