import { type Address, formatUnits } from 'viem'

const decimals = 6

/** What a developer needs to pay the seller. The wallet has an id where the example has made it. */
export type X402Example = {
  baseUrl: string
  /** Where the secret key is read from, as seen from the folder of the repository. */
  devFile: string
  /** The price is in the token's smallest unit. */
  sale: { url: string; token: Address; price: bigint }
  wallet: { id?: string; address: Address }
  balance: bigint
  /** When the session ends (ISO 8601). */
  expiresAt: string
}

/** An amount of the token in words. */
export const dollars = (amount: bigint): string => `${formatUnits(amount, decimals)} TUSD`

/** What the example prints: what there is, what a policy must say, and the calls that pay once. */
export function x402Instructions({
  baseUrl,
  devFile,
  sale,
  wallet,
  balance,
  expiresAt,
}: X402Example): string {
  const { url, token, price } = sale
  const entry = { chain: 'local', token, max_per_tx: String(price), max_total: String(price * 4n) }
  const policy = { allowed_chains: ['local'], allowed_methods: ['signMessage'], allowed_tokens: [entry] }
  const caps = { max_spend_per_tx_native: '0', max_spend_total_native: '0', expires_at: expiresAt }
  const session = JSON.stringify({ wallet_id: 'WALLET', name: 'x402', ...caps, ...policy })
  const docs = `${baseUrl}/docs/guides`
  return `
Play money on the local chain (development only). Ctrl-C ends the seller.

  seller    POST ${url}, any JSON, ${dollars(price)} an order
  token     ${token}, "Test Dollar" (EIP-3009, 6 decimals)
  wallet    ${wallet.address} has ${dollars(balance)}

A policy, or the limits of a session, for four payments to this seller:

  ${JSON.stringify(policy)}

To pay as an agent, paste this into another terminal, in the folder of the repository:

  export URL=${baseUrl} SHOP=${url} ASSET=${token}
  WALLET=${wallet.id ?? `…   # the id of the wallet ${wallet.address}`}
  SK=$(node -p 'JSON.parse(fs.readFileSync("${devFile}")).organizations.tee.secret_key')
  export TOKEN=$(curl -s $URL/v1/s2s/agent-sessions -H "Authorization: Bearer $SK" -H 'Content-Type: application/json' \\
    -d '${session.replace('"WALLET"', `"'"$WALLET"'"`)}' |
    node -p 'JSON.parse(fs.readFileSync(0)).data.token')

Then pay with the official client: save buyer.ts from ${docs}/clients#x402 there, and run

  node_modules/.bin/node buyer.ts

Or let an agent pay with its tool: ${docs}/agents#x402-paying-for-an-answer

Orders that were paid for:
`
}
