import type { Attack } from './attack.ts'
import { bootCampaigns } from './boots.ts'
import type { Campaign } from './campaign.ts'
import { capCampaigns } from './caps.ts'
import { corpusAttack } from './corpus-attack.ts'
import { envelopeAttacks } from './envelopes.ts'
import { frameCampaigns } from './frames.ts'
import { sessionAttacks } from './sessions.ts'
import { swapAttacks } from './swaps.ts'
import { transferCampaigns } from './transfers.ts'

/** Every attack of single requests. */
export const attacks: readonly Attack[] = [
  ...swapAttacks,
  ...sessionAttacks,
  ...envelopeAttacks,
  corpusAttack,
]

/** Every attack of requests that belong together. */
export const campaigns: readonly Campaign[] = [
  ...capCampaigns,
  ...transferCampaigns,
  ...frameCampaigns,
  ...bootCampaigns,
]
