import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseGwei,
  recoverTransactionAddress,
  serializeTransaction,
} from 'viem'
import { addressOf, type NetworkDemo } from './network-demo.ts'

/** USDC on Base. */
const token: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const recipient: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A transfer of an ERC-20 token on Base. */
export const evmDemo: NetworkDemo = {
  chain: 'base',
  curve: 'secp256k1',
  library: 'viem',
  make(wallet) {
    const transaction = serializeTransaction({
      type: 'eip1559',
      chainId: 8453,
      nonce: 0,
      to: token,
      gas: 60_000n,
      maxFeePerGas: parseGwei('1'),
      maxPriorityFeePerGas: parseGwei('0.1'),
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 2_500_000n] }),
    })
    return {
      transaction,
      async isSigned({ signed_transaction, transaction_hash }) {
        const serializedTransaction = signed_transaction as `0x02${string}`
        const sender = await recoverTransactionAddress({ serializedTransaction })
        return sender === addressOf(wallet, 'evm') && keccak256(serializedTransaction) === transaction_hash
      },
    }
  },
}
