import { type Hex, toFunctionSelector } from 'viem'
import type { CorpusCase } from './corpus-case.ts'
import {
  type CallRow,
  callCases,
  calling,
  contract,
  call as encoded,
  execute,
  multicall3,
} from './evm-payloads.ts'
import { transactionCases } from './transaction-cases.ts'
import { allowed, called, router, selector } from './tron-payloads.ts'

/** What accounts take from their owner or the EntryPoint alone: Light Account, Coinbase, Kernel, Nexus, Safe, ERC-4337, Alchemy, Sequence, Ambire, Candide, Clave, ERC-7579. */
const methods = [
  'performCreate(uint256,bytes)',
  'performCreate2(uint256,bytes,bytes32)',
  'performCreate(uint256,bytes,bool,bytes32)',
  'withdrawDepositTo(address,uint256)',
  'addDeposit()',
  'executeWithoutChainIdValidation(bytes[])',
  'executeUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32)',
  'validateUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32,uint256)',
  'initialize(bytes21,address,bytes,bytes,bytes[])',
  'initializeAccount(bytes)',
  'uninstallValidation(bytes21,bytes,bytes)',
  'emergencyUninstallHook((address,uint256,bytes,uint256),bytes)',
  'enableModule(address)',
  'updateFallbackSignerData(address,bool)',
  'updateImageHash(bytes32)',
  'setAddrPrivilege(address,bytes32)',
  'addGuardianWithThreshold(address,uint256)',
  'k1AddOwner(address)',
  'onInstall(bytes)',
  'execute(((address,uint256,bytes)[],bool))',
  'redeemDelegations(bytes[],bytes32[],bytes[])',
  'confirmRecovery(address,address[],uint256,bool)',
] as const

/** The selector, and zeros that no decoder needs to read. */
const bare = (signature: string): Hex => `${toFunctionSelector(signature)}${'00'.repeat(320)}`
const refused = (signature: string) =>
  signature === 'enableModule(address)' ? 'payload_undecodable' : 'account_admin_not_allowed'
const aggregated = (data: Hex) =>
  encoded('aggregate3((address target,bool allowFailure,bytes callData)[])', [
    { target: contract, allowFailure: false, callData: data },
  ])
const layers = (signature: string) => ({
  session: {
    allowed_contracts: [
      {
        chain: 'base',
        address: contract,
        selectors: [toFunctionSelector(signature), toFunctionSelector('execute(address,uint256,bytes)')],
      },
      { chain: 'base', address: multicall3 },
    ],
  },
})

const evmRows = methods.flatMap((signature): readonly CallRow[] => [
  [`${signature}, listed`, contract, bare(signature), refused(signature), calling(contract)],
  [`${signature}, named`, contract, bare(signature), refused(signature), layers(signature)],
  [
    `${signature}, in a batch`,
    multicall3,
    aggregated(bare(signature)),
    refused(signature),
    layers(signature),
  ],
])

const wrapped: readonly CallRow[] = methods
  .slice(0, 4)
  .map((signature) => [
    `${signature}, by another account`,
    multicall3,
    execute(contract, 0n, bare(signature)),
    refused(signature),
    layers(signature),
  ])

/** EVM and Tron: methods of accounts, in every wrapper, named or not. */
export const accountMethodCases: readonly CorpusCase[] = [
  ...callCases('account methods', [...evmRows, ...wrapped]),
  ...transactionCases(
    'tron',
    methods
      .slice(0, 4)
      .map((signature) => [
        `${signature} of an account, named`,
        () => called(signature, '00'.repeat(320), {}, router),
        'account_admin_not_allowed',
        allowed(router, [selector(signature)]),
      ]),
  ),
]
