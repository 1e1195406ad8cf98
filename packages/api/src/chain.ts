import * as z from 'zod'
import { ChainHandle, Curve, NetworkName } from './formats.ts'

/** One chain the service knows; `rpc` and `bundler` say whether this installation reaches one. */
export const Chain = z
  .strictObject({
    handle: ChainHandle,
    network: NetworkName,
    curve: Curve,
    chain_id: z.union([z.number(), z.string()]).nullable(),
    caip2: z.string(),
    native_asset: z.strictObject({ symbol: z.string(), decimals: z.int() }),
    rpc: z.boolean(),
    bundler: z.boolean(),
  })
  .meta({ id: 'Chain' })

/** Every chain handle. */
export const Chains = z.strictObject({ items: z.array(Chain) }).meta({ id: 'Chains' })
