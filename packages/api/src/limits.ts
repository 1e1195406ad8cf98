/** A rate: `burst` requests at once, then one per `periodMs` (GCRA), counted per `per`. */
export type Limit = { readonly burst: number; readonly periodMs: number; readonly per: string }

/**
 * The documented rates (HTTP API "Limits"). `otp-start` is a rolling window rather than a bucket: at most `burst` codes
 * in `burst * periodMs`. `otp-verify` is ours: five guesses per code hold regardless, this only bounds the work.
 */
export const limits = {
  'otp-start': { burst: 5, periodMs: 180_000, per: 'organization and email' },
  'otp-verify': { burst: 300, periodMs: 3_000, per: 'organization and email' },
  'user-sign': { burst: 3, periodMs: 5_000, per: 'user' },
  s2s: { burst: 60, periodMs: 1000 / 30, per: 'secret key' },
} as const satisfies Record<string, Limit>

/** The name of a documented rate. */
export type LimitName = keyof typeof limits
