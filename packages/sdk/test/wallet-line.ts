import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import type { Client } from '../src/index.ts'
import { SymbolonProvider, useWallet } from '../src/react.ts'

/** Shows in `<output id="wallet">` what the hook says of the wallet: its version and address, or `none`. */
export function walletLine(client: Client): void {
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(createElement(SymbolonProvider, { client }, createElement(Line)))
}

function Line() {
  const { wallet, isLoading } = useWallet()
  const text = wallet === null ? 'none' : `${wallet.polynomial_version} ${wallet.address}`
  return createElement('output', { id: 'wallet' }, isLoading ? '…' : text)
}
