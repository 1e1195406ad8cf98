import * as z from 'zod'
import { ChainHandle, Eur, EvmAddress, Id, Timestamp } from './formats.ts'

const SponsorPolicy = z
  .strictObject({
    sponsored: z.boolean().meta({ description: 'Whether this installation sponsors gas on the chain.' }),
    monthly_cap_eur: Eur.meta({ description: 'Per wallet, across all chains.' }),
    spent_eur: Eur.meta({ description: 'Settled and reserved in `period`, across all chains.' }),
    period: z
      .string()
      .regex(/^\d{4}-\d\d$/)
      .meta({ description: 'The calendar month in UTC.' }),
  })
  .meta({ id: 'SponsorPolicy' })

/** An ERC-4337 account (Light Account v2) that a wallet owns on one chain; its address is the same on every EVM chain. */
export const SmartAccount = z
  .strictObject({
    id: Id,
    wallet_id: Id,
    chain: ChainHandle,
    chain_id: z.int(),
    factory: EvmAddress,
    entry_point: EvmAddress,
    address: EvmAddress,
    owner_address: EvmAddress.meta({ description: "The wallet's own EVM address." }),
    deployed: z
      .boolean()
      .meta({ description: 'Whether the account has code on the chain. The first operation deploys it.' }),
    sponsor_policy: SponsorPolicy,
    created_by: z.enum(['end_user', 'owner']).meta({ description: '`owner` means your backend.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'SmartAccount' })

/** The smart account as the API returns it. */
export type SmartAccount = z.output<typeof SmartAccount>

/** All smart accounts of a wallet, oldest first. */
export const SmartAccounts = z.strictObject({ items: z.array(SmartAccount) }).meta({ id: 'SmartAccounts' })

/** On which chain the wallet is to have its smart account. */
export const CreateSmartAccount = z.strictObject({ chain: ChainHandle }).meta({ id: 'CreateSmartAccount' })
