/** How every warning of a takeover starts, that of an authorization (EIP-7702) too. */
export const takeoverStart = 'Account takeover: '
