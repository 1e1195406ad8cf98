import type { Route } from '@symbolon/api'

/** Counts and times answers. */
export type HttpMetrics = {
  answered(route: Route | undefined, status: number, seconds: number): void
  /** A request had an `X-Forwarded-For` and did not come from a trusted proxy. */
  forwardedIgnored(): void
}
