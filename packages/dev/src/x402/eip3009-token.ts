import {
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  type WalletClient,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { create2Deployer } from '../chain/chain-constants.ts'
import { create2Deployment } from '../chain/create2.ts'
import { devContracts } from '../chain/dev-contracts.ts'

/** What a buyer, a seller and a test call of the token. */
export const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** A token on a chain (six decimals), and a seller's account with gas. */
export type Eip3009Token = {
  address: Address
  seller: Account
  domain: { name: string; version: string }
  reads: PublicClient
  writes: WalletClient
  mint(to: Address, value: bigint): Promise<void>
  balanceOf(of: Address): Promise<bigint>
}

/** More than the deployment takes; estimated, it would fail where another process deploys the token at the same time. */
const deploymentGas = 3_000_000n

/**
 * The token of `contracts/DevDollar.sol` on a local chain, at the same address on each; deploys it where it is missing. The seller is a new
 * one every time.
 */
export async function eip3009Token(chain: {
  rpcUrl: string
  fund(address: Address, wei: bigint): Promise<unknown>
}): Promise<Eip3009Token> {
  const seller = privateKeyToAccount(generatePrivateKey())
  await chain.fund(seller.address, 10n ** 18n)
  const transport = http(chain.rpcUrl)
  const reads = createPublicClient({ transport, chain: foundry, pollingInterval: 50 }) as PublicClient
  const writes = createWalletClient({ transport, chain: foundry, account: seller })
  const mined = (hash: Hex) => reads.waitForTransactionReceipt({ hash })
  const { address, data } = create2Deployment(devContracts().DevDollar.bytecode)
  const isThere = async () => (await reads.getCode({ address })) !== undefined
  if (!(await isThere())) {
    await mined(await writes.sendTransaction({ to: create2Deployer, data, gas: deploymentGas }))
    if (!(await isThere())) throw new Error('The token was not deployed.')
  }
  return {
    address,
    seller,
    domain: { name: 'Test Dollar', version: '2' },
    reads,
    writes,
    async mint(to, value) {
      await mined(
        await writes.writeContract({ address, abi: tokenAbi, functionName: 'mint', args: [to, value] }),
      )
    },
    balanceOf: (of) => reads.readContract({ address, abi: tokenAbi, functionName: 'balanceOf', args: [of] }),
  }
}
