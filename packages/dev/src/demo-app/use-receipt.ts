import { useSymbolon } from '@symbolon/sdk/react'
import { useState } from 'react'
import { type Hex, hexToNumber } from 'viem'
import { demoConfig } from './demo-config.ts'

/** The chain's facts about a mined transaction. */
export type Receipt = { block: number; gasUsed: string; isSuccess: boolean }

const everyMs = 300
const withinMs = 30_000

/** Follows a transaction until it is mined; gives up after 30 s. */
export function useReceipt(): {
  isWaiting: boolean
  receipt: Receipt | undefined
  follow(hash: string): Promise<void>
  clear(): void
} {
  const client = useSymbolon()
  const [isWaiting, setWaiting] = useState(false)
  const [receipt, setReceipt] = useState<Receipt>()
  return {
    isWaiting,
    receipt,
    clear: () => setReceipt(undefined),
    async follow(hash) {
      if (demoConfig.chain === undefined) return
      setWaiting(true)
      const provider = client.ethereum({ chain: demoConfig.chain.handle })
      const read = async () => {
        const found = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
        return found as { blockNumber: Hex; gasUsed: Hex; status: Hex } | null
      }
      const deadline = performance.now() + withinMs
      let mined = await read().catch(() => null)
      while (mined === null && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, everyMs))
        mined = await read().catch(() => null)
      }
      if (mined !== null)
        setReceipt({
          block: hexToNumber(mined.blockNumber),
          gasUsed: hexToNumber(mined.gasUsed).toLocaleString('en'),
          isSuccess: mined.status === '0x1',
        })
      setWaiting(false)
    },
  }
}
