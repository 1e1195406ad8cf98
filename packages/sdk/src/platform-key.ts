/** A public key in the runtime's own form: browsers and Node name its type differently. */
export type PlatformKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>
