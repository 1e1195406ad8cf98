import * as z from 'zod'
import { Curve, Hex, Id, NetworkName, Timestamp } from './formats.ts'
import { Owner, SigningMode } from './identity.ts'

/** Only active wallets sign. */
export const WalletStatus = z.enum(['active', 'archived']).meta({ id: 'WalletStatus' })

const walletShape = {
  id: Id,
  organization_id: Id,
  user_identity_id: Id,
  curve: Curve,
  chain_type: NetworkName,
  account_type: z.enum(['eoa']),
  address: z.string().meta({ description: 'The address on the network that `chain_type` names.' }),
  addresses: z.record(z.string(), z.string()).meta({
    description: 'Every address of the key by name: `evm`, `bitcoin`, `bitcoin_taproot`, `solana` and so on.',
  }),
  public_key: Hex.meta({ description: 'Compressed (33 bytes) for secp256k1, 32 bytes for ed25519.' }),
  status: WalletStatus,
  signing_mode: SigningMode,
  polynomial_version: z.int().min(1).meta({ description: 'Increases when the shares are replaced.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  archived_at: Timestamp.nullable(),
}

/** One key of one user on one curve. */
export const Wallet = z.strictObject(walletShape).meta({ id: 'Wallet' })

/** A wallet together with its owner's identity, as the backend reads it. */
export const WalletWithIdentity = z
  .strictObject({ ...walletShape, identity: Owner })
  .meta({ id: 'WalletWithIdentity' })

/** The wallet as the API returns it. */
export type Wallet = z.output<typeof Wallet>
/** The wallet of the wire with its owner. */
export type WalletWithIdentity = z.output<typeof WalletWithIdentity>
