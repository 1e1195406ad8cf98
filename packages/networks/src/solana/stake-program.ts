import {
  handedOver,
  type InstructionCall,
  type Meaning,
  nothing,
  type Program,
  paid,
  row,
} from './program.ts'

/** The Stake program (docs: StakeInstruction). Delegated lamports stay in the stake account. */
export const stakeProgram = {
  name: 'Stake',
  numberBytes: 4,
  rows: {
    0: row(
      'initialize',
      'staker:key withdrawer:key lockup_time:u64 lockup_epoch:u64 custodian:key',
      'stake',
      nothing,
      ['stake', 'withdrawer'],
    ),
    1: row('authorize', 'newAuthority:key type:u32', 'stake ~ authority', authorized),
    2: row('delegate', '', 'stake validator ~ authority'),
    3: row('split', 'lamports:u64', 'stake split authority'),
    4: row('withdraw', 'lamports:u64', 'stake to ~ authority', (call) => ({
      ...paid(call, call.controller('authority'), 'to', call.amount('lamports')),
      title: 'Withdraw stake',
    })),
    5: row('deactivate', '', 'stake ~ authority'),
    6: row('setLockup', 'time:u64? epoch:u64? custodian:key?', 'stake authority', locked),
    7: row('merge', '', 'stake source ~ authority'),
    8: row(
      'authorizeWithSeed',
      'newAuthority:key type:u32 seed:text program:key',
      'stake authority',
      authorized,
    ),
    9: row('initializeChecked', '', 'stake ~ staker withdrawer', nothing, ['stake', 'withdrawer']),
    10: row('authorizeChecked', 'type:u32', 'stake ~ authority newAuthority', authorized),
    11: row(
      'authorizeCheckedWithSeed',
      'type:u32 seed:text program:key',
      'stake authority ~ newAuthority',
      authorized,
    ),
    12: row('setLockupChecked', 'time:u64? epoch:u64?', 'stake authority', locked),
    14: row('deactivateDelinquent', '', 'stake validator reference'),
    16: row('moveStake', 'lamports:u64', 'source stake authority'),
    17: row('moveLamports', 'lamports:u64', 'source stake authority'),
  },
} satisfies Program

/** The staker decides over delegation, the withdrawer over the lamports. */
function authorized(call: InstructionCall): Meaning {
  const title = `Change the ${call.arg('type') === '0' ? 'staker' : 'withdrawer'} of a stake account`
  return { ...handedOver('stake', 'newAuthority', 'authority')(call), title }
}

function locked(call: InstructionCall): Meaning {
  const meaning = handedOver('stake', 'custodian', 'authority')(call)
  return { ...meaning, title: 'Lock a stake account', warning: 'The stake may be locked for any time.' }
}
