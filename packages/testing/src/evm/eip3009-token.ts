import { createRequire } from 'node:module'
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
import type { SharedChain } from '../chain/test-chain.ts'

const source = `
pragma solidity ^0.8.20;
// A token whose transfers are authorized by signatures (EIP-3009), as dollars on chains are.
contract PaidToken {
  bytes32 constant TYPE = keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(bytes32 => bool)) public authorizationState;
  event Transfer(address indexed from, address indexed to, uint256 value);
  function mint(address to, uint256 value) external { balanceOf[to] += value; }
  function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore,
    bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
    require(block.timestamp > validAfter && block.timestamp < validBefore, "time");
    require(!authorizationState[from][nonce], "used");
    bytes32 domain = keccak256(abi.encode(keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
      keccak256("Test Dollar"), keccak256("2"), block.chainid, address(this)));
    bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain,
      keccak256(abi.encode(TYPE, from, to, value, validAfter, validBefore, nonce))));
    require(ecrecover(digest, v, r, s) == from, "signature");
    authorizationState[from][nonce] = true;
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}`

export const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** A token on a chain, and a seller's account with gas. */
export type Eip3009Token = {
  address: Address
  seller: Account
  domain: { name: string; version: string }
  reads: PublicClient
  writes: WalletClient
  mint(to: Address, value: bigint): Promise<void>
  balanceOf(of: Address): Promise<bigint>
}

/** Deploys the token, compiled here and now. */
export async function eip3009Token(chain: SharedChain): Promise<Eip3009Token> {
  const seller = privateKeyToAccount(generatePrivateKey())
  await chain.fund(seller.address, 10n ** 18n)
  const transport = http(chain.rpcUrl)
  const reads = createPublicClient({ transport, chain: foundry, pollingInterval: 50 }) as PublicClient
  const writes = createWalletClient({ transport, chain: foundry, account: seller })
  const mined = (hash: Hex) => reads.waitForTransactionReceipt({ hash })
  const { contractAddress } = await mined(
    await writes.deployContract({ abi: tokenAbi, bytecode: bytecode() }),
  )
  if (!contractAddress) throw new Error('The token was not deployed.')
  return {
    address: contractAddress,
    seller,
    domain: { name: 'Test Dollar', version: '2' },
    reads,
    writes,
    async mint(to, value) {
      await mined(
        await writes.writeContract({
          address: contractAddress,
          abi: tokenAbi,
          functionName: 'mint',
          args: [to, value],
        }),
      )
    },
    balanceOf: (of) =>
      reads.readContract({ address: contractAddress, abi: tokenAbi, functionName: 'balanceOf', args: [of] }),
  }
}

function bytecode(): Hex {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'PaidToken.sol': { content: source } },
        settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
      }),
    ),
  ) as { contracts: { 'PaidToken.sol': { PaidToken: { evm: { bytecode: { object: string } } } } } }
  return `0x${output.contracts['PaidToken.sol'].PaidToken.evm.bytecode.object}`
}
