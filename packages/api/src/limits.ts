/** A rate: `burst` requests at once, then one per `periodMs` (GCRA), counted per `per`. */
export type Limit = { readonly burst: number; readonly periodMs: number; readonly per: string }

/**
 * The documented rates (HTTP API "Limits"). `otp-start` is a rolling window rather than a bucket: at most `burst` codes
 * in `burst * periodMs` and ten a day, the sixth and later ones after growing pauses. `otp-start-client` (starts whose code was not used; 100 a day), `otp-failures` (failed verifications) and
 * `otp-start-alarm` (while codes of the organization are being guessed) are windows of rows too, which an organization's trusted clients do not fill; so are `recovery-start`, `export-start` and
 * `import-start`, beside which ten a day are the most. `otp-verify` and the four on which
 * recovery, export and import codes are tried are ours, as are `share-refresh`, `portal-login` (each login on its way is a row), `enclave-operator` (a frame costs the enclave two agreements of keys),
 * `login-refusal` (events of refused tokens of an identity provider, not the refusals), `agent-hook-junk` (deliveries that nobody signed), `invitation` (each is an email to whoever is named), `portal-list` (what answers at length), `portal-change` (each is rows for good, a run, or a call of a URL) and `user-transaction` (each asks a chain or a bundler): five guesses per code hold regardless, they bound the work and the guesses at many wallets.
 * `company` is ours too, a rolling window of 24 hours: each company comes with limits of its own.
 */
export const limits = {
  'otp-start': { burst: 5, periodMs: 180_000, per: 'organization and email' },
  'otp-start-client': { burst: 20, periodMs: 45_000, per: 'client address' },
  'otp-start-alarm': { burst: 1, periodMs: 60_000, per: 'client address that has not logged in' },
  'otp-failures': { burst: 30, periodMs: 30_000, per: 'client address' },
  'otp-verify': { burst: 300, periodMs: 3_000, per: 'organization, email, and device or client address' },
  'provider-share': { burst: 3, periodMs: 5_000, per: 'user' },
  'share-refresh': { burst: 5, periodMs: 30_000, per: 'user' },
  'recovery-start': { burst: 5, periodMs: 180_000, per: 'wallet' },
  'export-start': { burst: 5, periodMs: 180_000, per: 'wallet' },
  'import-start': { burst: 5, periodMs: 180_000, per: 'user and curve' },
  'recovery-user': { burst: 100, periodMs: 30_000, per: 'user' },
  'recovery-address': { burst: 1_000, periodMs: 3_000, per: 'client address' },
  'recovery-network': { burst: 5_000, periodMs: 600, per: 'IPv6 /48' },
  'recovery-organization': { burst: 10_000, periodMs: 300, per: 'organization' },
  'login-refusal': { burst: 10, periodMs: 60_000, per: 'organization' },
  'portal-login': { burst: 60, periodMs: 1_000, per: 'client address' },
  attestation: { burst: 60, periodMs: 1_000, per: 'client address' },
  // The enclave makes 20 documents a second for everybody.
  'attestation-network': { burst: 300, periodMs: 200, per: 'IPv6 /48' },
  'enclave-operator': { burst: 30, periodMs: 2_000, per: 'client address' },
  // A long answer costs further units. A page of the portal asks for one list; scripts set up a company at once.
  'portal-list': { burst: 300, periodMs: 200, per: 'portal user' },
  'portal-change': { burst: 300, periodMs: 200, per: 'portal user' },
  company: { burst: 50, periodMs: 1_728_000, per: 'portal user' },
  invitation: { burst: 100, periodMs: 10_000, per: 'portal user' },
  'user-sign': { burst: 3, periodMs: 5_000, per: 'user' },
  // Wallets that send several transactions at once, and repeats while a chain is slow.
  'user-transaction': { burst: 300, periodMs: 100, per: 'user' },
  agent: { burst: 60, periodMs: 1000 / 30, per: 'agent session token' },
  'agent-hook': { burst: 60, periodMs: 1000 / 30, per: 'inbound hook' },
  'agent-hook-junk': { burst: 60, periodMs: 1_000, per: 'inbound hook and client address' },
  s2s: { burst: 60, periodMs: 1000 / 30, per: 'secret key' },
} as const satisfies Record<string, Limit>

/** The fewest and the most signatures a minute that an operator may give the users of an organization; the fewest are the default. */
export const userSignsPerMinute = { min: 12, max: 6_000 } as const

/** A rate of signatures with its operator's figure for the organization: so many a minute, a quarter of them at once. */
export function raisedLimit(limit: Limit, perMinute: number): Limit {
  return { ...limit, burst: Math.ceil(perMinute / 4), periodMs: 60_000 / perMinute }
}

/** The largest body of every route, in bytes. */
export const bodyBytesMax: number = 256 << 10

/** The largest body of a route that signs, in bytes, unless it is a transaction. */
export const signBodyBytesMax: number = 64 << 10

/** A frame of the operators' channel: 64 KiB in base64url, and the largest body that carries one, in bytes. */
export const operatorFrameLimits = { charactersMax: 87_382, bodyBytesMax: 96 << 10 } as const

/** The name of a documented rate. */
export type LimitName = keyof typeof limits
