import { useSymbolon } from '@symbolon/sdk/react'
import { useCallback, useEffect, useState } from 'react'
import { formatEther, type Hex, hexToBigInt } from 'viem'
import { demoConfig } from './demo-config.ts'

const everyMs = 4_000

/** The native balance of an address on the local chain, read through the wallet's own EIP-1193 provider. */
export function useBalance(address: string | undefined): {
  balance: string | undefined
  refresh: () => Promise<void>
} {
  const client = useSymbolon()
  const [balance, setBalance] = useState<string>()
  const refresh = useCallback(async () => {
    if (address === undefined || demoConfig.chain === undefined || document.hidden) return
    try {
      const provider = client.ethereum({ chain: demoConfig.chain.handle })
      const wei = (await provider.request({ method: 'eth_getBalance', params: [address, 'latest'] })) as Hex
      setBalance(`${formatEther(hexToBigInt(wei))} ETH`)
    } catch {
      // The chain is still starting: the next poll finds it.
      setBalance(undefined)
    }
  }, [client, address])
  useEffect(() => {
    setBalance(undefined)
    void refresh()
    const timer = setInterval(() => void refresh(), everyMs)
    return () => clearInterval(timer)
  }, [refresh])
  return { balance, refresh }
}
