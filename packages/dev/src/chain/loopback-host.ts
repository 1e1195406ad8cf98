import type { IncomingMessage } from 'node:http'

const names = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]+)?$/i

/**
 * Whether a request names this machine. A page of anybody's can have its own name lead here (DNS rebinding), and would then be of the same origin
 * as what answers.
 */
export const isForLoopback = ({ headers: { host } }: IncomingMessage): boolean => names.test(host ?? '')
