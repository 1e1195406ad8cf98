import type { Edit } from './planted-enclave.ts'

/** A defence of the enclave: how it is taken out, and the attacks that must come through without it. */
export type Plant = { without: string; edits: readonly Edit[]; lets: readonly string[] }

const enclave = 'packages/enclave/src'

/** Every defence that has attacks of its own. */
export const plants: readonly Plant[] = [
  {
    without: 'the binding of grants to wallet, session and version',
    edits: [
      {
        file: `${enclave}/grant-envelope.ts`,
        from: 'const aad = Buffer.concat([domain, context])',
        to: 'const aad = Buffer.concat([domain, context.subarray(0, 0)])',
      },
    ],
    lets: [
      'agentSign with members of another session of the wallet',
      'evaluate with members of a later policy of the session',
    ],
  },
  {
    without: 'the binding of grants to their tokens',
    edits: [
      {
        file: `${enclave}/grant-envelope.ts`,
        from: 'both.full.set(tokenKey, keyBytes)',
        to: 'both.full.fill(tokenKey.length, keyBytes)',
      },
    ],
    lets: ['agentSign with members of another token of the session', 'one bit of a grant or of its token'],
  },
  {
    without: 'the binding of shares to their organization',
    edits: [
      {
        file: 'packages/crypto/src/node/wire-enclave.ts',
        from: 'const organizationId = uuidFromBytes(row.subarray(0, 16))',
        to: 'const organizationId = uuidFromBytes(new Uint8Array(16))',
      },
      {
        file: `${enclave}/tee-envelope.ts`,
        from: 'for (let i = 0; i < 32; i++)',
        to: 'for (let i = 16; i < 32; i++)',
      },
    ],
    lets: [
      'sign with members of the same id in another organization',
      'export with members of the same id in another organization',
      'rewrap with members of the same id in another organization',
      'grant with members of the same id in another organization',
    ],
  },
  {
    without: 'the proof that shares make the wallet’s key',
    edits: [
      {
        file: `${enclave}/vault.ts`,
        from: 'if (!equalBytes(publicKey, wallet.publicKey)) {',
        to: 'if (publicKey.length === 0) {',
      },
    ],
    lets: ['export with members of another organization'],
  },
  {
    without: 'what was sealed of the layers that rows have, too',
    edits: [
      {
        file: `${enclave}/agent-policies.ts`,
        from: 'agent: [sealed.agent, current.agent]',
        to: 'agent: [current.agent]',
      },
    ],
    lets: ['stored layers that became wider than those that were sealed'],
  },
  {
    without: 'the intent in the name of what was evaluated',
    edits: [
      {
        file: `${enclave}/allowed-requests.ts`,
        from: "hash('sha256', request, 'binary')",
        to: "hash('sha256', request.subarray(0, 140), 'binary')",
      },
    ],
    lets: ['bytes other than those that were evaluated'],
  },
  {
    without: 'the enclave’s own clock',
    edits: [
      {
        file: `${enclave}/evaluate-request.ts`,
        from: 'Math.max(request.nowMs, vault.nowMs())',
        to: 'request.nowMs',
      },
    ],
    lets: [
      'a session that is over, by a clock that is slow',
      'decisions that were kept until the session was over',
    ],
  },
  {
    without: 'a look at the clock before a kept decision is signed',
    edits: [
      {
        file: `${enclave}/agent-sign.ts`,
        from: 'assertRunning(vault, request, allowed.expiresAtMs)',
        to: '',
      },
    ],
    lets: ['decisions that were kept until the session was over'],
  },
  {
    without: 'marks of versions',
    edits: [
      {
        file: `${enclave}/marks/freshness-marks.ts`,
        from: 'return version >= seen',
        to: 'return seen >= 0n',
      },
    ],
    lets: [
      'an older policy of the session',
      'older rules of the organization, or an older policy of the agent',
    ],
  },
  {
    without: 'marks of sessions that were revoked',
    edits: [
      {
        file: `${enclave}/marks/freshness-marks.ts`,
        from: "revoke(nameOf('session', id), lastDayOf(endsAtMs))",
        to: '{}',
      },
    ],
    lets: ['a session that was revoked, minted anew included'],
  },
  {
    without: 'marks of wallets that were archived',
    edits: [
      {
        file: `${enclave}/marks/freshness-marks.ts`,
        from: "if (table.get(nameOf('wallet', walletOf(row))) & 1n) throw olderState('rolled_back_wallet')",
        to: '',
      },
    ],
    lets: ['a wallet that was archived, in every lane'],
  },
  {
    without: 'marks of what was signed under a cap',
    edits: [
      {
        file: `${enclave}/marks/freshness-marks.ts`,
        from: 'caps.some(({ max }) => sum > max)',
        to: 'caps.some(({ max }) => max < 0n && sum > max)',
      },
    ],
    lets: [
      'more than the sealed cap on transactions',
      'more than the sealed cap on transactions by the agent’s layer',
      'more than the sealed cap on native value and fees',
      'more than the sealed cap on native value by the organization’s layer',
      'more than the sealed cap on one coin',
      'more than the sealed cap on a token',
    ],
  },
  {
    without: 'the seal of a segment of marks',
    edits: [
      {
        file: `${enclave}/marks/mark-chain.ts`,
        from: 'if (!openInPlace({ out, ciphertext, tag, aad, iv, key })) throw notNext()',
        to: 'openInPlace({ out, ciphertext, tag, aad, iv, key })',
      },
    ],
    lets: ['marks that are altered, of another ring, out of order or not all there'],
  },
  {
    without: 'the word of what a key was sealed for',
    edits: [
      {
        file: `${enclave}/export-key.ts`,
        from: 'info: keyTransferInfo.export',
        to: 'info: keyTransferInfo.import',
      },
    ],
    lets: ['a key that was sealed to the enclave as an export'],
  },
]
