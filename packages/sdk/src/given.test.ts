import { expect, test } from 'vitest'
import { createAgentClient } from './agent.ts'
import { createClient } from './index.ts'
import {
  createRecoveryReceiver,
  createServerClient,
  nodeListener,
  platformKeys,
  postgresRecoveryShares,
  recoveryShareFile,
  verifyWebhook,
} from './server.ts'
import {
  fetchAttestation,
  fetchKeyAttestation,
  requireAttestation,
  verifyAttestation,
  verifyConsistency,
  verifyExport,
  verifyInclusion,
  verifyReceipt,
} from './verify.ts'

type Untyped = (options?: unknown) => unknown

const baseUrl = 'https://wallets.example.com'
const secrets = `whsec_${'A'.repeat(44)}`
const store = {}
const headers = {}
const body = ''

/** What a caller without types gives, and the options that the sentence has to name. */
const cases: [name: string, call: Untyped, ...wrong: [options: unknown, named: RegExp][]][] = [
  [
    'createClient',
    createClient as Untyped,
    [undefined, /^baseUrl must be/],
    [{ baseUrl: 'https://' }, /^baseUrl must be/],
    [{ baseUrl }, /^publishableKey must be/],
    [{ baseUrl: '127.0.0.1:8080' }, /^baseUrl must be .* http:\/\/127/],
    [{ baseUrl: `${baseUrl}/v1` }, /^baseUrl must not end in \/v1/],
    [{ baseUrl, publishableKey: '' }, /is empty: is the environment variable set\? Create one in the portal/],
    [
      { baseUrl, publishableKey: 'x' },
      /^publishableKey must be a publishable key \(pk_live_…\)\. Create one/,
    ],
    [{ baseUrl, publishableKey: 'pk_live_short' }, /this one is not complete\. Create one in the portal/],
    [
      { baseUrl, publishableKey: `sk_live_${'A'.repeat(49)}` },
      /this is a secret key, which never belongs in a page: rotate it/,
    ],
    [{ baseUrl, frameUrl: 'frame' }, /^frameUrl must be/],
  ],
  [
    'createServerClient',
    createServerClient as Untyped,
    [undefined, /needs secretKey and baseUrl$/],
    [{ baseUrl }, /needs secretKey$/],
    [{ baseUrl, secretKey: 'x' }, /^secretKey must be/],
    [{ baseUrl, secretKey: '' }, /is empty: is the environment variable set\? Create one in the portal/],
    [{ baseUrl, secretKey: 'pk_live_x' }, /this is a publishable key/],
    [{ baseUrl, secretKey: 'sk_live_x' }, /this one is not complete\. Create one in the portal/],
  ],
  [
    'createAgentClient',
    createAgentClient as Untyped,
    [undefined, /needs token and baseUrl$/],
    [{ token: `as_live_${'1'.repeat(49)}` }, /needs baseUrl$/],
  ],
  [
    'verifyWebhook',
    verifyWebhook as Untyped,
    [undefined, /needs headers and body$/],
    [{ headers, body }, /^secrets or keys must be given/],
    [{ headers, body, secrets: null }, /^secrets or keys must be given/],
    [{ headers, body, secrets: [undefined] }, /^a webhook secret must be/],
    [{ headers, body: {}, secrets }, /^body must be the raw bytes/],
    [{ headers, body, keys: [] }, /^keys must be what platformKeys returns/],
  ],
  [
    'createRecoveryReceiver',
    createRecoveryReceiver as Untyped,
    [undefined, /needs secrets and store$/],
    [{ store }, /needs secrets$/],
    [{ store, secrets: 'hush' }, /^a webhook secret must be/],
  ],
  [
    'platformKeys',
    platformKeys as Untyped,
    [undefined, /needs baseUrl$/],
    [{ baseUrl: 'x' }, /^baseUrl must/],
  ],
  ['postgresRecoveryShares', postgresRecoveryShares as Untyped, [undefined, /needs a function/]],
  ['nodeListener', nodeListener as Untyped, [undefined, /needs a Fetch handler/]],
  ['recoveryShareFile', recoveryShareFile as Untyped, [undefined, /needs walletId$/]],
  [
    'fetchAttestation',
    fetchAttestation as Untyped,
    [undefined, /needs baseUrl$/],
    [{ baseUrl: '' }, /^baseUrl/],
  ],
  ['fetchKeyAttestation', fetchKeyAttestation as Untyped, [{ baseUrl }, /needs kid$/]],
  ['requireAttestation', requireAttestation as Untyped, [undefined, /needs baseUrl and ringId$/]],
  ['verifyAttestation', verifyAttestation as Untyped, [undefined, /needs attestation$/]],
  ['verifyReceipt', verifyReceipt as Untyped, [undefined, /needs receipt and attestation$/]],
  [
    'verifyExport',
    verifyExport as Untyped,
    [undefined, /needs stream or lines$/],
    [{}, /needs stream or lines$/],
  ],
  [
    'verifyInclusion',
    verifyInclusion as Untyped,
    [undefined, /needs event$/],
    [{ event: 'x' }, /^proof: this is/],
  ],
  ['verifyConsistency', verifyConsistency as Untyped, [undefined, /needs older and newer$/]],
]

test.each(cases)('%s says in a sentence which option is missing', async (_, call, ...wrong) => {
  for (const [options, named] of wrong) {
    const error = await (async () => call(options))().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toMatch(named)
    expect((error as TypeError).message).not.toMatch(/undefined|null|Invalid URL|not a function|destructure/)
  }
})
