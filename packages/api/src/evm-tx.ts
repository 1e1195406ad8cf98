import * as z from 'zod'
import { ChainHandle, EvmAddress, Gas, Hex, Hex32, Quantity64, Quantity256, Wei } from './formats.ts'

/** A transaction to prepare for the wallet itself (its EOA); a `to` that is not an address returns `bad_to`. */
export const PrepareTx = z
  .strictObject({
    chain: ChainHandle,
    to: z.string().meta({ description: 'The recipient: 20 bytes in hex with 0x.' }),
    data: Hex.default('0x').meta({ description: 'Calldata.' }),
    value: Wei.default('0').meta({ description: 'Wei, decimal.' }),
    gas_limit: Gas.exactOptional().meta({
      description:
        'Gas units, decimal. With it nothing is estimated, so a call that reverts can be prepared too.',
    }),
    max_fee_per_gas: Wei.exactOptional().meta({
      description: 'Wei, decimal, instead of the fee that the chain suggests. The tip is lowered to it.',
    }),
    check_funds: z.boolean().exactOptional().meta({
      description:
        'If true, a transaction that the wallet cannot pay, its highest fee included, is refused as `estimate_gas_reverted`; `details` has `needed`, `balance` and `asset`.',
    }),
  })
  .meta({ id: 'PrepareTx' })

/** An EIP-1559 transaction that only lacks the signature; all fields are texts, numbers 0x quantities. */
export const PreparedTx = z
  .strictObject({
    chain: ChainHandle,
    chain_id: Quantity64,
    nonce: Quantity64.meta({ description: 'The next nonce, counting pending transactions.' }),
    from: EvmAddress,
    to: EvmAddress,
    data: Hex,
    value: Quantity256,
    gas_limit: Quantity64,
    max_fee_per_gas: Quantity256,
    max_priority_fee_per_gas: Quantity256,
  })
  .meta({ id: 'PreparedTx' })

/** A signed EIP-1559 transaction of the wallet, to be sent; one that cannot be read is refused as `bad_raw_tx`. */
export const BroadcastTx = z
  .strictObject({
    chain: ChainHandle,
    raw_tx: z.string().meta({ description: '0x02 and the RLP of the signed transaction, in hex with 0x.' }),
  })
  .meta({ id: 'BroadcastTx' })

/** A transaction that the chain has taken. */
export const BroadcastedTx = z
  .strictObject({ chain: ChainHandle, chain_id: Quantity64, tx_hash: Hex32 })
  .meta({ id: 'BroadcastedTx' })
