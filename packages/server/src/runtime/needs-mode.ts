import { type Failure, failure } from './failure.ts'

const words = { client: 'client mode', tee: 'TEE mode' } as const

/** The failure of a call that only organizations of the given signing mode can make. */
export const needsMode = (mode: keyof typeof words): Failure<'signing_mode_mismatch'> =>
  failure('signing_mode_mismatch', {
    message: `This call needs an organization in ${words[mode]}; this one is in ${words[mode === 'tee' ? 'client' : 'tee']}.`,
  })
