import { type EvmRpc, EvmRpcError } from '../../../ports/evm-rpc.ts'

/** Submits a signed transaction to a node; returns why the node did not accept it. */
export async function submitRawTx(rpc: EvmRpc, rawTx: Uint8Array): Promise<EvmRpcError | undefined> {
  try {
    await rpc.send(`0x${Buffer.from(rawTx).toString('hex')}`)
    return undefined
  } catch (error) {
    if (error instanceof EvmRpcError) return error
    throw error
  }
}
