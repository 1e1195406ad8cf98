/**
 * `npm run demo`: the main job end to end against a running platform, or one started for it; each step with its time.
 * `npm run demo -- --networks`: a transaction of each network instead.
 */
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { demoAgents } from './demo-agents.ts'
import { demoChain } from './demo-chain.ts'
import { type DemoClient, demoClient } from './demo-client.ts'
import { demoNetworks } from './demo-networks.ts'
import { type DemoPlatform, demoPlatform } from './demo-platform.ts'
import { insist, step } from './demo-step.ts'

type Wallet = { id: string; address: Hex; public_key: string; addresses: Record<string, string> }
type Signed = { signature: Hex; signed_transaction: TransactionSerialized; transaction_hash: Hex }

async function runDemo(): Promise<void> {
  const isOfNetworks = process.argv.includes('--networks')
  console.log('\nSymbolon demo. Attestation is SIMULATED (development only).\n')
  const platform = await step('find or start the platform', async () => {
    // The local chain has no part in the transactions of the networks.
    const found = await demoPlatform({ ...(isOfNetworks && { SYMBOLON_CHAIN: 'off' }), ...process.env })
    return [found, `${found.isOurs ? 'started' : 'running'} at ${found.file.base_url}`]
  })
  try {
    const client = demoClient(platform.file)
    const email = `demo-${randomBytes(4).toString('hex')}@example.test`
    await step('log in by email code', async () => [await client.logIn(email), email])
    await (isOfNetworks ? demoNetworks(client) : demoWallets(platform, client, email))
    await step('log out', async () => {
      await client.call('POST', '/v1/wallets/me/logout')
      const refusal = await client.call('POST', '/v1/wallets/identify').catch((error: Error) => error.message)
      insist(String(refusal).includes('token_revoked'), 'the token is refused at once')
      return [undefined, 'the token is refused at once']
    })
    console.log('\nAll signatures verified by independent libraries.\n')
  } finally {
    await platform.stop()
  }
}

type Sign = (body: object) => Promise<Signed>

async function demoWallets(platform: DemoPlatform, client: DemoClient, email: string): Promise<void> {
  const sign: Sign = (body) => client.call<Signed>('POST', '/v1/wallets/me/sign', body)
  const wallet = await step('create a TEE wallet (secp256k1)', async () => {
    const made = await client.call<Wallet>('POST', '/v1/wallets', { curve: 'secp256k1' })
    return [made, `${made.address}, ${Object.keys(made.addresses).length} addresses`]
  })
  await signMessage(sign, wallet, email)
  await signTypedData(sign, wallet)
  await signTransaction(sign, wallet)
  await signOnSolana(client, email)
  const node = await demoChain(platform, client, wallet)
  if (node !== undefined) await demoAgents(platform, client, node)
}

async function signMessage(sign: Sign, { address }: Wallet, email: string): Promise<void> {
  await step('sign a message', async () => {
    const message = `Hello from ${email}`
    const { signature } = await sign({ type: 'message', message })
    insist(await verifyMessage({ address, message, signature }), 'viem verifies the message')
    return [undefined, `${signature.slice(0, 18)}…  verified by viem`]
  })
}

async function signTypedData(sign: Sign, { address }: Wallet): Promise<void> {
  await step('sign typed data (EIP-712)', async () => {
    const typedData = {
      domain: { name: 'Symbolon demo', version: '1', chainId: 1 },
      types: {
        Transfer: [
          { name: 'to', type: 'address' },
          { name: 'amount', type: 'uint256' },
        ],
      },
      primaryType: 'Transfer' as const,
      message: { to: address, amount: '1000' },
    }
    const { signature } = await sign({ type: 'typed_data', typed_data: typedData })
    const message = { to: address, amount: 1000n }
    insist(
      await verifyTypedData({ ...typedData, message, address, signature }),
      'viem verifies the typed data',
    )
    return [undefined, `${signature.slice(0, 18)}…  verified by viem`]
  })
}

async function signTransaction(sign: Sign, { address }: Wallet): Promise<void> {
  await step('sign a transaction (EIP-1559)', async () => {
    const { signed_transaction: serialized, transaction_hash: hash } = await sign({
      type: 'transaction',
      chain: 'sepolia',
      transaction: {
        nonce: '0x0',
        to: address,
        value: '0x1',
        data: '0x',
        gas_limit: '0x5208',
        max_fee_per_gas: '0x3b9aca00',
        max_priority_fee_per_gas: '0x3b9aca00',
      },
    })
    insist(
      (await recoverTransactionAddress({ serializedTransaction: serialized })) === address,
      'viem recovers the sender',
    )
    insist(parseTransaction(serialized).chainId === 11155111, 'the transaction is bound to its chain')
    return [undefined, `${hash.slice(0, 18)}…  sender recovered by viem`]
  })
}

async function signOnSolana({ callAsBackend }: DemoClient, email: string): Promise<void> {
  await step('create and use a Solana wallet (S2S)', async () => {
    const made = await callAsBackend<Wallet>('POST', '/v1/s2s/wallets', { email, curve: 'ed25519' })
    const message = `Hello from ${made.address}`
    const request = { wallet_id: made.id, type: 'message', chain: 'solana', scheme: 'raw', message }
    const { signature } = await callAsBackend<Signed>('POST', '/v1/s2s/sign', request)
    const x = Buffer.from(made.public_key.slice(2), 'hex').toString('base64url')
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
    const bytes = Buffer.from(signature.slice(2), 'hex')
    insist(verify(null, Buffer.from(message), key, bytes), 'OpenSSL verifies the message')
    return [undefined, `${made.address}  verified by OpenSSL`]
  })
}

try {
  await runDemo()
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
