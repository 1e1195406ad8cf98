import { associatedTokenAddress, associatedTokenProgram } from './associated-token-program.ts'
import { handedOver, type NameOf, type Program, row } from './program.ts'
import { stakeProgram } from './stake-program.ts'
import { systemProgram } from './system-program.ts'
import { token2022Address, token2022Program, tokenAddress, tokenProgram } from './token-program.ts'

/** Memo: one text. */
const memoProgram = {
  name: 'Memo',
  numberBytes: 0,
  rows: { 0: row('memo', 'memo:all', '') },
} satisfies Program

/** Signature checks before a transaction runs; they move nothing. */
const verifier = {
  name: 'Verify',
  numberBytes: 0,
  rows: { 0: row('verifySignatures', ':rest', '') },
} satisfies Program

/** The upgradeable loader: programs are deployed, upgraded and handed over by it (docs: UpgradeableLoaderInstruction). */
const loaderProgram = {
  name: 'BPF loader',
  numberBytes: 4,
  rows: {
    0: row('initializeBuffer', '', 'buffer authority'),
    1: row('write', 'offset:u32 :rest', 'buffer authority'),
    2: row('deploy', 'space:u64', 'payer programData program buffer'),
    3: row('upgrade', '', 'programData program buffer refund ~ authority', (call) => ({
      ...handedOver('program', 'buffer', 'authority')(call),
      title: 'Upgrade a program',
      warning: `The code of the program ${call.arg('program')} changes.`,
    })),
    4: row(
      'setAuthority',
      '',
      'account authority newAuthority?',
      handedOver('account', 'newAuthority', 'authority'),
    ),
    5: row('close', '', 'account refund authority?', (call) => ({
      ...handedOver('account', 'refund', 'authority')(call),
      title: 'Close a program or buffer',
      warning: `The account ${call.arg('account')} is closed, its SOL goes to ${call.arg('refund')}.`,
    })),
    6: row('extendProgram', 'bytes:u32', 'programData program'),
    7: row(
      'setAuthorityChecked',
      '',
      'account authority newAuthority',
      handedOver('account', 'newAuthority', 'authority'),
    ),
  },
} satisfies Program

const byAddress = {
  '11111111111111111111111111111111': systemProgram,
  [tokenAddress]: tokenProgram,
  [token2022Address]: token2022Program,
  [associatedTokenAddress]: associatedTokenProgram,
  Stake11111111111111111111111111111111111111: stakeProgram,
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: memoProgram,
  Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo: memoProgram,
  Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH: memoProgram,
  BPFLoaderUpgradeab1e11111111111111111111111: loaderProgram,
  Ed25519SigVerify111111111111111111111111111: verifier,
  KeccakSecp256k11111111111111111111111111111: verifier,
  Secp256r1SigVerify1111111111111111111111111: verifier,
}

/** The name of an instruction that is known. */
export type InstructionName = NameOf<(typeof byAddress)[keyof typeof byAddress]>

/** Every program whose instructions are known, by address. */
export const programs: Readonly<Record<string, Program<InstructionName>>> = byAddress
