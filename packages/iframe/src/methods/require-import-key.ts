# Use Symbolon with wagmi, ethers, viem, Solana, x402 and MCP

The SDK's providers follow the standards (EIP-1193, EIP-6963, EIP-5792, Wallet Standard), so the libraries that you already use work unchanged. Our test suite runs every sample on this page as printed, with the values of a running platform.

Install the SDK from your clone. Each section below also has the command that installs its library.

```sh
npm install /path/to/symbolon/packages/sdk/dist
```

Start with one module that your whole app shares. Put in your own values: `npm start` prints two publishable keys and the address of the local
chain, whose port differs on each machine. With the client mode key, the user confirms each request in the wallet frame. With the
TEE mode key, the enclave signs at once, without a dialog. Your code is the same for both. If your page's origin is not a loopback address,
list it first ([client mode](client-mode.md#_1-let-your-page-in)).

```ts
// wallet.ts
import { createClient } from '@symbolon/sdk'

export const client = createClient({
  publishableKey: 'pk_live_…',
  baseUrl: 'http://127.0.0.1:8080',
  rpcUrls: { local: 'http://127.0.0.1:8545' }, // your local chain's address; .symbolon/dev.json lists all chains
  storage: 'session', // a reload keeps the login (Solana apps connect again on a click)
})
```

The user logs in with an emailed code. With `npm start`, the mail is at <http://127.0.0.1:8080/dev/mailbox>.

```ts
// login.ts
import { unwrap } from '@symbolon/sdk'
import { client } from './wallet.ts'

export async function login(): Promise<void> {
  // A wrong address, key or origin throws here, before anybody types
  unwrap(await client.frame.preload())
  const email = ask('Your email address')
  unwrap(await client.auth.sendCode(email))
  unwrap(await client.auth.verifyCode(email, ask('The code from the email')))
  // In client mode, a browser that is new to the user recovers the key first
  const { data: device } = await client.wallets.deviceState()
  if (device && device.deviceShare !== 'present') unwrap(await client.recovery.run())
}

/** Your own form belongs here. If the user closes it, reject with 4001, as every wallet does. */
function ask(label: string): string {
  const text = prompt(label)
  if (text === null) throw Object.assign(new Error('The login was cancelled.'), { code: 4001 })
  return text
}
```

The samples pass this function as `login`. It runs when your page requests accounts and nobody is logged in. The first request for accounts
creates the wallet. To send something on the local chain, [give it play money](evm.md#a-transaction) first.

## viem

`npm install viem`

```ts
// viem.ts
import { createWalletClient, custom, defineChain } from 'viem'
import { login } from './login.ts'
import { client } from './wallet.ts'

const local = defineChain({
  id: 31337,
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
})
const wallet = createWalletClient({ chain: local, transport: custom(client.ethereum({ chain: 'local', login })) })
const [account] = await wallet.requestAddresses()
console.log(account, await wallet.signMessage({ account, message: 'Hello' }))
```

## ethers

`npm install ethers`

```ts
// ethers.ts
import { BrowserProvider } from 'ethers'
import { login } from './login.ts'
import { client } from './wallet.ts'

const signer = await new BrowserProvider(client.ethereum({ chain: 'local', login })).getSigner()
console.log(await signer.getAddress(), await signer.signMessage('Hello'))
```

## wagmi

`npm install wagmi viem @tanstack/react-query`, with React 18 or later.

Announce the wallet before you render `WagmiProvider`. When it renders, wagmi reconnects only to wallets that it already knows.

```tsx
// wagmi.tsx
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { defineChain } from 'viem'
import { createConfig, http, useConnect, useConnection, useConnectors, useSignMessage, WagmiProvider } from 'wagmi'
import { login } from './login.ts'
import { client } from './wallet.ts'

const node = 'http://127.0.0.1:8545'
const local = defineChain({
  id: 31337,
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [node] } },
})
client.announce({
  name: 'Shop Wallet',
  icon: 'data:image/svg+xml;base64,PHN2Zy8+',
  rdns: 'com.example.shop',
  chain: 'local',
  login,
})
const config = createConfig({ chains: [local], transports: { [local.id]: http(node) } })

function Wallet() {
  const { address } = useConnection()
  const connectors = useConnectors()
  const connect = useConnect()
  const sign = useSignMessage()
  const shop = connectors.find(({ id }) => id === 'com.example.shop')
  const open = () => shop && connect.mutate({ connector: shop })
  if (address === undefined) return <button onClick={open}>{connect.error?.message ?? 'Connect'}</button>
  const text = sign.data ?? sign.error?.message ?? `Sign as ${address}`
  return <button onClick={() => sign.mutate({ message: 'Hello' })}>{text}</button>
}

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Wallet />
    </QueryClientProvider>
  </WagmiProvider>,
)
```

RainbowKit lists the announced wallet under "Installed", with wagmi 2 as well.

`useSendCalls` works for both kinds of account. A smart account (add `account: 'smart_account'` to `announce`) sends all calls as one operation. A wallet sends them one by one; in client mode, one dialog shows them all first.

## Solana

`npm install @solana/react @wallet-standard/react`, with React 18 or later.

```tsx
// solana.tsx
import { useSignMessage } from '@solana/react'
import { type UiWallet, type UiWalletAccount, useConnect, useWallets } from '@wallet-standard/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { login } from './login.ts'
import { client } from './wallet.ts'

client.announce({ name: 'Shop Wallet', icon: 'data:image/svg+xml;base64,PHN2Zy8+', rdns: 'com.example.shop', login })

function Sign({ account }: { account: UiWalletAccount }) {
  const sign = useSignMessage(account)
  const [signature, setSignature] = useState('')
  const hello = async () => {
    const signed = await sign({ message: new TextEncoder().encode('Hello') })
    setSignature([...signed.signature].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
  }
  return <button onClick={hello}>{signature || `Sign as ${account.address}`}</button>
}

function Wallet({ wallet }: { wallet: UiWallet }) {
  const [, connect] = useConnect(wallet)
  const [account] = wallet.accounts
  return account === undefined ? <button onClick={() => connect()}>Connect</button> : <Sign account={account} />
}

function Wallets() {
  const shop = useWallets().find(({ name }) => name === 'Shop Wallet')
  return shop === undefined ? null : <Wallet wallet={shop} />
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<Wallets />)
```

## NestJS

`npm install @nestjs/common@11 @nestjs/core@11 @nestjs/platform-express@11 reflect-metadata rxjs`. Nest 11 runs from CommonJS, as its command
line sets projects up. Nest 12 is ES modules only: in its place, set `"type": "module"` in `package.json`, and `"module": "nodenext"` in
`tsconfig.json`. The code below is the same.

`@symbolon/sdk/server` serves CommonJS and ES modules, and TypeScript under `node10`, `node16` and `bundler`. Provide the client under a token
and inject it:

```ts
// wallets.service.ts
import { Inject, Injectable } from '@nestjs/common'
import { createServerClient, type ServerClient, SymbolonError, unwrap, type WalletWithIdentity } from '@symbolon/sdk/server'

export const SYMBOLON = Symbol('symbolon')

/** In your module: `providers: [{ provide: SYMBOLON, useFactory: symbolon }, WalletsService]`. */
export const symbolon = (): ServerClient =>
  createServerClient({ secretKey: process.env.SYMBOLON_SECRET_KEY ?? '', baseUrl: process.env.SYMBOLON_URL ?? '' })

@Injectable()
export class WalletsService {
  constructor(@Inject(SYMBOLON) private readonly client: ServerClient) {}

  /** The user's wallet, created on the first call. */
  async walletOf(email: string): Promise<WalletWithIdentity> {
    const { data, error } = await this.client.wallets.create({ email })
    // With the error `wallet_exists`, `data` is the existing wallet.
    if (data === null) throw new SymbolonError(error)
    return data
  }

  async sign(email: string, message: string): Promise<string> {
    const { id } = await this.walletOf(email)
    return unwrap(await this.client.sign({ wallet_id: id, type: 'message', message })).signature
  }
}
```

## viem on a server

A wallet in TEE mode is an account for viem, and for whatever takes one of viem's accounts. Its key stays in the enclave: each signature is a
call to the platform.

```ts
// server.ts
import { createServerClient, unwrap } from '@symbolon/sdk/server'
import { createWalletClient, http } from 'viem'

const { URL: baseUrl = '', SK: secretKey = '', WALLET: walletId = '', RPC } = process.env
const server = createServerClient({ secretKey, baseUrl })
const account = unwrap(await server.account({ walletId, chain: 'local' }))
const client = createWalletClient({ account, transport: http(RPC) })
console.log(account.address, await client.signMessage({ message: 'Hello' }))
```

With the Node that runs the platform, in the folder of the repository, and `WALLET` set to the id of a TEE wallet, such as the one that
[Agents](agents.md#five-minutes) creates:

```sh
export URL=$(jq -r .base_url .symbolon/dev.json) SK=$(jq -r .organizations.tee.secret_key .symbolon/dev.json)
export RPC=$(jq -r '.chains[0].rpc_url' .symbolon/dev.json)
WALLET=$WALLET node_modules/.bin/node server.ts
```

To run it in your own folder, use Node 22.18 or later, which runs TypeScript. Install the SDK and `viem`, then run
`npm pkg set type=module`.

`createAgentClient({ token, baseUrl }).account({ chain })` does the same for an agent, within its policy.

## x402

The official x402 client (`npm install @x402/fetch @x402/evm`) takes such an account too:

```ts
// buyer.ts
import { createAgentClient, unwrap } from '@symbolon/sdk/agent'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'

const { URL: baseUrl = '', TOKEN: token = '', SHOP = '', ASSET = '' } = process.env
if (!SHOP || !ASSET) throw new Error('Set SHOP and ASSET')
const account = unwrap(await createAgentClient({ token, baseUrl }).account({ chain: 'local' }))
const network = 'eip155:31337'
const client = new x402Client()
  .register(network, new ExactEvmScheme(account))
  .setSpendControls({ allowedAssets: [{ network, asset: ASSET }] }) // USDC is allowed by default, other tokens are not
const fetchAndPay = wrapFetchWithPayment(fetch, client)

const headers = { 'content-type': 'application/json' }
const answer = await fetchAndPay(SHOP, { method: 'POST', headers, body: JSON.stringify({ item: 'report' }) })
console.log(answer.status, await answer.text())
```

`SHOP` is the URL of the seller, and `ASSET` the address of the token that it takes, which must have EIP-3009. To pay once on your machine,
save the sample as `buyer.ts` in the folder of the repository, which has the packages that it imports. Then, with `npm start` running, in a
second terminal:

```sh
npm run example:x402
```

This puts a dollar of play money (EIP-3009) on the local chain, gives 10 of them to a wallet and opens a seller, made from the official packages,
until you press Ctrl-C. It prints the policy that may pay this seller, and the lines that set `URL`, `SHOP`, `ASSET` and `TOKEN` (a session of that
wallet). Paste these lines into a third terminal, in the same folder, and buy:

```sh
node_modules/.bin/node buyer.ts     # 200 {"filled":{"item":"report"}}
```

To pay from a wallet of your own, give the command its address: `npm run example:x402 -- 0x…`. If the price is above the session's caps, the
client throws the policy's reason. An agent that you run on the platform needs no client at all: its [tool
`pay`](agents.md#x402-paying-for-an-answer) pays official merchants.

## MCP

`npm install @modelcontextprotocol/client`

[Agents](agents.md#mcp-tools-for-your-own-model) shows how to connect the official MCP client.

## When the dialog warns

The wallet decodes what it signs: transfers, approvals, swaps and orders of the contracts that it knows. Of anything else it shows every field and call, and decides
by names and values, because it asks no chain what a contract does:

- **A call that no decoder knows** always has a warning, whatever its method is named. It acts at once, on a contract that may be a token.
- **Typed data that no decoder knows** has one if anything in it is named like what moves or gives away assets. A type `Order`, `Send`,
  `Transfer`, `Permit` or `Delegate`, a member `spender`, `operator` or `token`, an amount beside an address, or the address of a known token
  is enough, even if your contract only takes a lunch order. Users read such a dialog to its end before Confirm works.
- **Everything else** (logins, votes, emails) has a neutral note.

You cannot switch a warning off. If your own typed data gets one that it does not deserve, name its types and members for what they are: `LunchChoice`
instead of `Order`. [Decision 0007](../decisions/0007-payloads-and-previews.md) has the whole rule. For agents, names make no difference: see
[what a session may do](agents.md#what-a-session-may-do).

## What your page sees when something fails

| Code | When |
|---|---|
| 4001 | the user declined, or closed your login form |
| 4100 | nobody is logged in, or the request names another account. In client mode, `data.code` `device_share_missing` means that this browser has no share of the wallet yet (`localhost` and `127.0.0.1` count as two sites): call `client.recovery.run()`, then send the request again |
| 4200, 4902 | the wallet doesn't serve the method (4200), or the platform doesn't have the chain (4902) |
| 4900 | the platform, the wallet frame or your node can't be reached. If your page's origin is not in `allowed_origins`, the message says so; otherwise follow `data.details.hint` |
| 3, -32003 | the transaction would revert, or the wallet lacks funds. Nothing was signed |
| -32602 | a parameter is wrong; the message names it |
| -32002 | 16 requests are already waiting |
| 5700, 5710, 5720, 5730, 5760 | `wallet_sendCalls`: a missing capability, a chain without `rpcUrls`, an id that is in use, an unknown id, all-or-nothing without a smart account |

A user signs three times at once, then once every five seconds: the SDK waits, in order, so ten requests at once take some 40 seconds. If
a dialog's text doesn't fit, Confirm works only after the user has scrolled to the end.

`data.code` has the platform's own code, which has a [page](../errors/index.md), or one of the SDK's, which [its README](../../packages/sdk/README.md) lists.
