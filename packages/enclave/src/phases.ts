import type { EnclaveOp, EnclavePhase } from '@symbolon/crypto/node'

/**
 * Which operation each phase allows; `handshake` is the answer to a hello, `channel` the making of a channel. SPEC.md prints the same table.
 *
 * `boot`: nothing is known yet. `attested`: the channel key is attested, the tee-a key ring is still closed.
 * `loading`: the ring is open, the freshness marks of the boot before are on their way. `serving`: all works. `sealed`: keys are gone until the process starts anew.
 */
export const phaseTable = {
  boot: [],
  attested: ['handshake'],
  loading: ['handshake', 'channel', 'status', 'loadMarks', 'attest', 'operator'],
  serving: [
    'handshake',
    'channel',
    'status',
    'generate',
    'sign',
    'rewrap',
    'export',
    'importKey',
    'import',
    'grant',
    'evaluate',
    'agentSign',
    'effective',
    'attest',
    'signWithReceipt',
    'agentSignWithReceipt',
    'note',
    'operator',
    'takeMarks',
  ],
  sealed: ['handshake', 'status'],
} as const satisfies Record<EnclavePhase, readonly Allowed[]>

type Allowed = EnclaveOp | 'handshake' | 'channel'

/** The phases that may follow each phase; a restart of the process is the only way out of `sealed`. */
export const phaseSteps = {
  boot: ['attested', 'sealed'],
  attested: ['loading', 'sealed'],
  loading: ['serving', 'sealed'],
  // Another ring was put in the place of the open one.
  serving: ['loading', 'sealed'],
  sealed: [],
} as const satisfies Record<EnclavePhase, readonly EnclavePhase[]>

/** The phase of one enclave; it only moves forward. */
export type Phases = {
  current(): EnclavePhase
  allows(op: Allowed): boolean
  /** Throws on a step that `phaseSteps` does not have. */
  enter(phase: EnclavePhase): void
}

/** A fresh enclave's phases, at `boot`. */
export function phases(): Phases {
  let current: EnclavePhase = 'boot'
  return {
    current: () => current,
    allows: (op) => (phaseTable[current] as readonly string[]).includes(op),
    enter(phase) {
      if (!(phaseSteps[current] as readonly string[]).includes(phase)) {
        throw new Error(`no step from phase ${current} to ${phase}`)
      }
      current = phase
    },
  }
}
