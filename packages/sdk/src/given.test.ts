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
    [{ baseUrl: `${baseUrl}?org=1` }, /^baseUrl must end before \? or #$/],
    [{ baseUrl, publishableKey: '' }, /is empty: is the environment variable set\? Create one in the portal/],
    [
      { baseUrl, publishableKey: 'x' },
      /^publishableKey must be a publishable key \(pk_live_…\)\. Create one/,
    ],
    [
      { baseUrl, publishableKey: 'pk_live_short' },
      /this one is incomplete or of another service\. Create one in the portal/,
    ],
    [
      { baseUrl, publishableKey: `sk_live_${'A'.repeat(49)}` },
      /this is a secret key, which never belongs in a page: rotate it/,
    ],
    [{ baseUrl: '' }, /^baseUrl must be .*, and is empty: is the environment variable set\?$/],
    [
      { baseUrl: `"${baseUrl}"` },
      /^baseUrl must be .* such as .*, and has quotes, spaces or line breaks in it: remove that$/,
    ],
    [{ baseUrl, frameUrl: 'frame' }, /^frameUrl must be .* such as http:\/\/127\.0\.0\.1:27805$/],
    [{ baseUrl, frameUrl: '' }, /^frameUrl must be .*, and is empty: is the environment variable set\?$/],
  ],
  [
    'createServerClient',
    createServerClient as Untyped,
    [undefined, /needs secretKey and baseUrl$/],
    [{ baseUrl }, /needs secretKey$/],
    [{ baseUrl, secretKey: 'x' }, /^secretKey must be/],
    [{ baseUrl, secretKey: '' }, /is empty: is the environment variable set\? Create one in the portal/],
    [{ baseUrl, secretKey: 'pk_live_x' }, /this is a publishable key/],
    [
      { baseUrl, secretKey: 'sk_live_x' },
      /this one is incomplete or of another service\. Create one in the portal/,
    ],
  ],
  [
    'createAgentClient',
    createAgentClient as Untyped,
    [undefined, /needs token and baseUrl$/],
    [{ token: `as_live_${'1'.repeat(49)}` }, /needs baseUrl$/],
    [{ token: `as_live_${'1'.repeat(49)}`, baseUrl: '' }, /^baseUrl must be .*, and is empty/],
  ],
  [
    'verifyWebhook',
    verifyWebhook as Untyped,
    [undefined, /needs headers and body$/],
    [{ headers, body }, /^secrets or keys must be given/],
    [{ headers, body, secrets: null }, /^secrets or keys must be given/],
    [{ headers, body, secrets: [undefined] }, /^a webhook secret must be/],
    [{ headers, body, secrets: '' }, /^a webhook secret must be .*, and is empty: is the environment/],
    [
      { headers, body, secrets: `'${secrets}'` },
      /^a webhook secret must be .*, and has quotes, spaces or line breaks in it: remove that$/,
    ],
    [
      { headers, body, secrets: `${secrets}\n` },
      /, and has quotes, spaces or line breaks in it: remove that$/,
    ],
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

const takers: [
  name: string,
  prefix: string,
  mistaken: [prefix: string, named: RegExp][],
  take: (key: string) => unknown,
][] = [
  [
    'publishableKey',
    'pk_live_',
    [
      ['sk_live_', /, and this is a secret key, which never belongs in a page: rotate it/],
      ['as_live_', /, and this is the token of an agent session, which never belongs in a page/],
    ],
    (publishableKey) => createClient({ baseUrl, publishableKey }),
  ],
  [
    'secretKey',
    'sk_live_',
    [
      ['pk_live_', /, and this is a publishable key, which belongs in pages\./],
      ['as_live_', /, and this is the token of an agent session: createAgentClient takes it\./],
    ],
    (secretKey) => createServerClient({ baseUrl, secretKey }),
  ],
  [
    'token',
    'as_live_',
    [
      ['sk_live_', /, and this is a secret key, which an agent must never have: createServerClient takes/],
      ['pk_live_', /, and this is a publishable key, which belongs in pages\./],
      ['ac_live_', /, and this is a delegation, which one agent gives another for one call\./],
    ],
    (token) => createAgentClient({ baseUrl, token }),
  ],
]

test.each(takers)(
  '%s says what is wrong with the key, without repeating it',
  (name, prefix, mistaken, take) => {
    const secret = '1a'.repeat(24)
    const key = `${prefix}${secret}x`
    const said: [given: string, named: RegExp][] = [
      ['', /, and is empty: is the environment variable set\? [CM]/],
      [' \n', /, and is empty: is the environment variable set\? [CM]/],
      ...[prefix + secret, `${key}${secret}`, `${prefix.slice(0, 3)}test_${secret}`, `sk-ant-${secret}`].map(
        (other): [string, RegExp] => [other, /, and this one is incomplete or of another service\. [CM]/],
      ),
      [`Bearer ${key}`, /, and has Bearer in it: remove that\.$/],
      [`bearer ${key}\n`, /, and has Bearer in it: remove that\.$/],
      ...[`"${key}"`, `'${key}`, `${key}\n`, ` ${key}`, `${prefix}${secret}"x`, `${prefix}\n${secret}x`].map(
        (damaged): [string, RegExp] => [
          damaged,
          /, and has quotes, spaces or line breaks in it: remove that\.$/,
        ],
      ),
      [secret, /_live_…\)\. [CM]/],
      ...mistaken.flatMap(([start, named]): [string, RegExp][] => [
        [start + secret, named],
        [`"${start}${secret}"\n`, named],
      ]),
    ]
    expect(take(key)).toBeTypeOf('object')
    for (const [given, named] of said) {
      const refusal = refusalOf(() => take(given))
      expect(refusal).toBeInstanceOf(TypeError)
      expect(refusal?.message).toMatch(named)
      expect(refusal?.message).toMatch(new RegExp(`^${name} must be`))
      expect(refusal?.message).not.toContain(secret)
    }
  },
)

function refusalOf(act: () => unknown): Error | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error as Error
  }
}
