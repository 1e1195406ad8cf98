/** The local chains by handle, with their chain ids. */
export const devChainIds = { local: 31_337, 'local-2': 31_338 } as const

/** A local chain's name on the wire. */
export type DevChainHandle = keyof typeof devChainIds
