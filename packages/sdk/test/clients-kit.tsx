import { ExchangeClient } from '@nktkas/hyperliquid'
import { useSignMessage as useSolanaMessage } from '@solana/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useConnect as useStandardConnect, useWallets } from '@wallet-standard/react'
import { BrowserProvider } from 'ethers'
import { createRoot } from 'react-dom/client'
import { defineChain, type Hex, http, type WalletClient } from 'viem'
import {
  createConfig,
  useConnect,
  useConnection,
  useConnectors,
  useSendCalls,
  useSendTransaction,
  useSignMessage,
  WagmiProvider,
} from 'wagmi'
import { getCallsStatus, getWalletClient } from 'wagmi/actions'
import { createClient, unwrap } from '../src/index.ts'

const rdns = 'test.shop.wallet'
const icon = 'data:image/svg+xml;base64,PHN2Zy8+'

/** What a page of a developer does, with wagmi, ethers, Hyperliquid's SDK and Solana's hooks as they are published. */
type Page = {
  /** Renders it; `rpcUrl` is the node of the local chain. */
  readonly show: (rpcUrl: string) => void
  readonly announce: () => void
  readonly connect: () => Promise<unknown>
  readonly sign: (message: string) => Promise<Hex>
  readonly pay: (to: Hex, wei: number) => Promise<Hex>
  readonly calls: (to: Hex) => Promise<string>
  readonly callsStatus: (id: string) => ReturnType<typeof getCallsStatus>
  readonly ethers: (message: string) => Promise<{ readonly address: string; readonly signature: string }>
  /** A transfer, the approval of an agent and a withdrawal, in turn. */
  readonly hyperliquid: (to: Hex) => Promise<readonly unknown[]>
  readonly solanaConnect: () => Promise<unknown>
  readonly solanaSign: (message: string) => Promise<number[]>
}

function localChain(rpcUrl: string) {
  return defineChain({
    id: 31337,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
}

function show(rpcUrl: string): void {
  const config = createConfig({ chains: [localChain(rpcUrl)], transports: { 31337: http(rpcUrl) } })
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Evm />
        <Solana />
      </QueryClientProvider>
    </WagmiProvider>,
  )
  const provider = () => client.ethereum({ chain: 'local' })
  Object.assign(globalThis.page, {
    announce: () => client.announce({ name: 'Shop Wallet', icon, rdns, chain: 'local' }),
    callsStatus: (id: string) => getCallsStatus(config, { id }),
    async ethers(message: string) {
      const signer = await new BrowserProvider(provider()).getSigner()
      return { address: await signer.getAddress(), signature: await signer.signMessage(message) }
    },
    hyperliquid: async (to: Hex) => hyperliquid(await getWalletClient(config), to),
  } satisfies Partial<Page>)
}

/** What Hyperliquid's SDK would send. */
async function hyperliquid(wallet: WalletClient, to: Hex): Promise<readonly unknown[]> {
  const sent: unknown[] = []
  const transport = {
    isTestnet: true,
    async request(_endpoint: unknown, payload: unknown) {
      sent.push(payload)
      return { status: 'ok', response: { type: 'default' } } as never
    },
  }
  const exchange = new ExchangeClient({ wallet: wallet as never, transport })
  await exchange.usdSend({ destination: to, amount: '1.5' })
  await exchange.approveAgent({ agentAddress: to, agentName: 'helper' })
  await exchange.withdraw3({ destination: to, amount: '2.5' })
  return sent
}

function Evm() {
  const { address, status } = useConnection()
  const [connector] = useConnectors().filter(({ id }) => id === rdns)
  const connect = useConnect()
  const message = useSignMessage()
  const transaction = useSendTransaction()
  const calls = useSendCalls()
  Object.assign(globalThis.page, {
    async connect() {
      if (connector === undefined) throw new Error('wagmi found no wallet')
      return connect.mutateAsync({ connector })
    },
    sign: (text) => message.mutateAsync({ message: text }),
    pay: (to, wei) => transaction.mutateAsync({ to, value: BigInt(wei) }),
    async calls(to) {
      const two = [1n, 2n].map((value) => ({ to, value }))
      return (await calls.mutateAsync({ calls: two })).id
    },
  } satisfies Partial<Page>)
  const found = connector === undefined ? 'no wallet' : 'wallet found'
  return <output id="evm">{`${found}, ${status}: ${address ?? 'nobody'}`}</output>
}

function Solana() {
  const wallet = useWallets().find(({ name }) => name === 'Shop Wallet')
  return wallet === undefined ? null : <SolanaWallet wallet={wallet} />
}

function SolanaWallet({ wallet }: { readonly wallet: ReturnType<typeof useWallets>[number] }) {
  const [, connect] = useStandardConnect(wallet)
  Object.assign(globalThis.page, { solanaConnect: () => connect() } satisfies Partial<Page>)
  const [account] = wallet.accounts
  return account === undefined ? <output id="solana">nobody</output> : <SolanaAccount account={account} />
}

function SolanaAccount({ account }: { readonly account: Parameters<typeof useSolanaMessage>[0] }) {
  const sign = useSolanaMessage(account)
  Object.assign(globalThis.page, {
    async solanaSign(text) {
      return [...(await sign({ message: new TextEncoder().encode(text) })).signature]
    },
  } satisfies Partial<Page>)
  return <output id="solana">{account.address}</output>
}

declare global {
  var page: Page
}

globalThis.page = { show } as Page
// What every page of a shop needs.
globalThis.kit = { createClient, unwrap } as typeof globalThis.kit
