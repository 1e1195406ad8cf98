import * as z from 'zod'
import { EvmAddress, Hex, Hex32, Quantity64, Quantity256 } from './formats.ts'

/**
 * An unsigned EVM transaction: with `max_fee_per_gas` EIP-1559, with `gas_price` and `access_list` EIP-2930, with
 * `gas_price` alone legacy (EIP-155). Without `to` it deploys a contract. The decoder checks which fields belong
 * together (400 `invalid_payload`).
 */
export const EvmTransaction = z
  .strictObject({
    to: EvmAddress.exactOptional(),
    value: Quantity256.exactOptional().meta({ description: 'In wei. Defaults to 0x0.' }),
    data: Hex.exactOptional().meta({ description: 'Defaults to 0x.' }),
    nonce: Quantity64,
    gas_limit: Quantity64,
    max_fee_per_gas: Quantity256.exactOptional(),
    max_priority_fee_per_gas: Quantity256.exactOptional(),
    gas_price: Quantity256.exactOptional(),
    access_list: z
      .array(z.strictObject({ address: EvmAddress, storage_keys: z.array(Hex32) }))
      .exactOptional(),
    chain_id: Quantity64.exactOptional().meta({ description: 'Must be the chain id of `chain`.' }),
  })
  .meta({ id: 'EvmTransaction' })
