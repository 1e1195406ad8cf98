import {
  handedOver,
  type InstructionCall,
  type Meaning,
  nothing,
  type Program,
  paid,
  row,
} from './program.ts'

/** The System program: native transfers, new accounts, nonces (docs: SystemInstruction). */
export const systemProgram = {
  name: 'System',
  numberBytes: 4,
  rows: {
    0: row('createAccount', 'lamports:u64 space:u64 program:key', 'from account', created('from')),
    1: row('assign', 'program:key', 'account', assigned('account')),
    2: row('transfer', 'lamports:u64', 'from to', (call) =>
      paid(call, call.arg('from'), 'to', call.amount('lamports')),
    ),
    3: row(
      'createAccountWithSeed',
      'base:key seed:text lamports:u64 space:u64 program:key',
      'from account',
      created('from'),
    ),
    4: row('advanceNonce', '', 'nonce ~ authority', nothing),
    5: row('withdrawNonce', 'lamports:u64', 'nonce to ~ authority', (call) =>
      paid(call, call.controller('authority'), 'to', call.amount('lamports')),
    ),
    6: row('initializeNonce', 'authority:key', 'nonce', nothing, ['nonce', 'authority']),
    7: row(
      'authorizeNonce',
      'newAuthority:key',
      'nonce authority',
      handedOver('nonce', 'newAuthority', 'authority'),
    ),
    8: row('allocate', 'space:u64', 'account', assigned('account')),
    9: row('allocateWithSeed', 'base:key seed:text space:u64 program:key', 'account base', assigned('base')),
    10: row('assignWithSeed', 'base:key seed:text program:key', 'account base', assigned('base')),
    11: row('transferWithSeed', 'lamports:u64 seed:text program:key', 'from base to', (call) =>
      paid(call, call.arg('base'), 'to', call.amount('lamports')),
    ),
    12: row('upgradeNonce', '', 'nonce'),
  },
} satisfies Program

function created(payer: string) {
  return (call: InstructionCall): Meaning => ({
    ...paid(call, call.arg(payer), 'account', call.amount('lamports')),
    title: 'Create an account',
  })
}

/** An account that is given space or a program can no longer pay: its program decides over what it holds. */
function assigned(authority: string) {
  return (call: InstructionCall): Meaning => {
    const program = call.arg('program') || null
    return {
      kind: 'admin',
      asset: null,
      amount: null,
      from: call.controller(authority),
      to: program,
      warning: `Account takeover: ${program ?? 'a program'} will control ${call.arg('account')}.`,
    }
  }
}
