import { AccountAddress, FeePayerRawTransaction, MultiAgentRawTransaction, U64 } from '@aptos-labs/ts-sdk'
import { createNoopSigner } from '@solana/kit'
import * as system from '@solana-program/system'
import * as token from '@solana-program/token'
import { own, wallet as signer, sol } from '@symbolon/networks/testing/solana-effects'
import {
  call as aptosCall,
  dex as aptosDex,
  thief as aptosThief,
  entry,
  friendText,
  raw,
} from './aptos-payloads.ts'
import type { CorpusCase } from './corpus-case.ts'
import { contract as cosmosContract, friend as cosmosFriend, doc, execute } from './cosmos-payloads.ts'
import { intentCases } from './evm-payloads.ts'
import {
  account,
  mint,
  other,
  program,
  sent,
  call as solanaCall,
  friend as solanaFriend,
} from './solana-payloads.ts'
import {
  i128,
  invoke,
  party,
  contract as stellarContract,
  friend as stellarFriend,
  wallet,
} from './stellar-payloads.ts'
import { session, transactionCases } from './transaction-cases.ts'

/** A contract that is a listed token too, with the methods that are named. */
const both = (chain: string, name: string, selectors?: readonly string[], more = {}) =>
  session({
    allowed_tokens: [{ chain, token: name }],
    allowed_contracts: [{ chain, address: name, ...(selectors && { selectors }) }],
    ...more,
  })
const only = (chain: string, address: string, selectors?: readonly string[], more = {}) =>
  session({ allowed_contracts: [{ chain, address, ...(selectors && { selectors }) }], ...more })

const cosmos = ['withdraw', 'redeem', 'unstake', 'claim'].flatMap((method) => {
  const bytes = () => doc([execute({ [method]: {} }, [], cosmosContract)])
  return [
    [`${method} of a listed token`, bytes, 'contract_call_not_allowed', both('cosmoshub', cosmosContract)],
    [`${method} of a listed token, named`, bytes, 'allowed', both('cosmoshub', cosmosContract, [method])],
    [
      `${method} beside a recipient list`,
      bytes,
      'recipient_not_allowed',
      only('cosmoshub', cosmosContract, undefined, { allowed_recipients: [cosmosFriend] }),
    ],
  ] as const
})

const stellar = ['withdraw', 'deposit', 'redeem', 'claim'].flatMap((method) => {
  const bytes = () => invoke(method, [party(wallet), i128(5n)])
  return [
    [`${method} of a listed token`, bytes, 'contract_call_not_allowed', both('stellar', stellarContract)],
    [`${method} of a listed token, named`, bytes, 'allowed', both('stellar', stellarContract, [method])],
    [
      `${method} beside a recipient list`,
      bytes,
      'recipient_not_allowed',
      only('stellar', stellarContract, undefined, { allowed_recipients: [stellarFriend] }),
    ],
  ] as const
})

const aptos = ['pool::withdraw', 'router::swap'].flatMap((method) => {
  const bytes = () => aptosCall(`${aptosDex}::${method}`, [new U64(5n)])
  return [
    [`${method} of an allowed module`, bytes, 'contract_call_not_allowed', only('aptos', aptosDex)],
    [`${method}, named`, bytes, 'allowed', only('aptos', aptosDex, [method])],
    [
      `${method} beside a recipient list, named`,
      bytes,
      'allowed',
      only('aptos', aptosDex, [method], { allowed_recipients: [friendText] }),
    ],
    [
      `${method}, another is named`,
      bytes,
      'contract_call_not_allowed',
      only('aptos', aptosDex, ['pool::deposit']),
    ],
  ] as const
})

const solanaBytes = () => sent([solanaCall()])
const onto = { newAccount: signer, lamports: 5n, space: 82n, programAddress: token.TOKEN_PROGRAM_ADDRESS }
const solana = [
  ...['0x01', '0x00000000'].map(
    (selector) =>
      [
        `a call by ${selector}, another than is sent`,
        solanaBytes,
        selector === '0x01' ? 'allowed' : 'contract_call_not_allowed',
        only('solana', program, [selector]),
      ] as const,
  ),
  [
    'a call that is not named beside a recipient list',
    solanaBytes,
    'recipient_not_allowed',
    only('solana', program, undefined, { allowed_recipients: [solanaFriend] }),
  ],
  [
    'a call that is named beside a recipient list',
    solanaBytes,
    'allowed',
    only('solana', program, ['0x01'], { allowed_recipients: [solanaFriend] }),
  ],
  ...(
    [
      [
        'an account of the wallet itself',
        () => sent([system.getCreateAccountInstruction({ payer: signer, ...onto })]),
      ],
      [
        'an account of the wallet itself, at another’s cost',
        () => sent([system.getCreateAccountInstruction({ payer: other, ...onto }), sol(1n)]),
      ],
      [
        'an account of the wallet itself by a seed',
        () =>
          sent([
            system.getCreateAccountWithSeedInstruction({
              payer: signer,
              base: own,
              baseAccount: signer,
              seed: 'a',
              amount: 5n,
              space: 82n,
              programAddress: program,
              newAccount: own,
            }),
          ]),
      ],
      [
        'a mint of the wallet itself',
        () =>
          sent([
            token.getInitializeMint2Instruction({ mint: own, decimals: 0, mintAuthority: solanaFriend }),
          ]),
      ],
      [
        'a token account of the wallet itself',
        () => sent([token.getInitializeAccount3Instruction({ account: own, mint, owner: solanaFriend })]),
      ],
      [
        'a fixed owner of the wallet itself',
        () => sent([token.getInitializeImmutableOwnerInstruction({ account: own })]),
      ],
      [
        'native tokens in the wallet itself',
        () => sent([token.getSyncNativeInstruction({ account: own }), sol(1n)]),
      ],
      [
        'the end of the wallet itself',
        () =>
          sent([
            token.getCloseAccountInstruction({ account: own, destination: solanaFriend, owner: signer }),
          ]),
      ],
    ] as const
  ).map(([name, bytes]) => [name, bytes, 'account_admin_not_allowed', only('solana', program)] as const),
  [
    'a token account of another address',
    () =>
      sent([
        sol(1n),
        token.getInitializeAccount3Instruction({ account, mint, owner: createNoopSigner(own).address }),
      ]),
    'allowed',
    session({}),
  ],
] as const

const one = raw(entry('0x1::aptos_account::transfer', [aptosThief, new U64(5n)]))
const forms = [
  ['that another pays for', new FeePayerRawTransaction(one, [], aptosThief).bcsToBytes()],
  ['of several accounts', new MultiAgentRawTransaction(one, [AccountAddress.from('0x3')]).bcsToBytes()],
] as const
const messages = forms.flatMap(([name, bytes]) =>
  (['solana', 'near', 'stellar'] as const).flatMap((chain) =>
    [bytes, new TextEncoder().encode(Buffer.from(bytes).toString('base64'))].flatMap((message, index) =>
      intentCases(
        'messages',
        [
          [
            `a transaction of Aptos ${name}${index === 0 ? '' : ' in base64'}`,
            { kind: 'message', network: chain, chain, message } as const,
            'message_is_transaction',
          ],
        ],
        chain,
      ),
    ),
  ),
)

/** Methods that nobody reads, on each network; the wallet's own address as what is changed; transactions of Aptos as messages. */
export const unreadMethodCases: readonly CorpusCase[] = [
  ...transactionCases('cosmoshub', cosmos),
  ...transactionCases('stellar', stellar),
  ...transactionCases('aptos', aptos),
  ...transactionCases('solana', solana),
  ...messages,
]
