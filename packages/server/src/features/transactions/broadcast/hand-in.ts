import { type EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'

/** Hands a signed transaction in, and answers why it was not taken. */
export async function handIn(rpc: EvmRpc, rawTx: Uint8Array): Promise<EvmRpcError | undefined> {
  try {
    await rpc.send(`0x${Buffer.from(rawTx).toString('hex')}`)
    return undefined
  } catch (error) {
    if (error instanceof EvmRpcError) return error
    throw error
  }
}
