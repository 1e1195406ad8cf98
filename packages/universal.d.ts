/**
 * The globals that the packages for both sides (api, crypto, networks, policy) may use: the few that browsers and
 * Node have alike (WHATWG Encoding, URL and HTML, W3C Web Cryptography). Neither DOM nor Node is in their types.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>
}
declare class TextDecoder {
  constructor(label?: 'utf-8', options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(input?: Uint8Array): string
}
declare class URL {
  constructor(url: string, base?: string | URL)
  static canParse(url: string, base?: string): boolean
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}
declare function atob(data: string): string
declare function btoa(data: string): string
declare const crypto: {
  getRandomValues<bytes extends Uint8Array>(array: bytes): bytes
  readonly subtle: {
    generateKey(
      algorithm: { name: 'ECDH'; namedCurve: 'P-256' },
      isExtractable: boolean,
      usages: readonly 'deriveBits'[],
    ): Promise<{ publicKey: object; privateKey: object }>
    exportKey(format: 'raw', key: object): Promise<ArrayBuffer>
    importKey(
      format: 'raw',
      bytes: Uint8Array,
      algorithm: { name: 'ECDSA'; namedCurve: 'P-384' } | { name: 'Ed25519' },
      isExtractable: boolean,
      usages: readonly 'verify'[],
    ): Promise<object>
    verify(
      algorithm: { name: 'ECDSA'; hash: 'SHA-384' } | { name: 'Ed25519' },
      key: object,
      signature: Uint8Array,
      message: Uint8Array,
    ): Promise<boolean>
  }
}
/** Node's own, absent in browsers: look before use. */
declare const Buffer:
  | {
      from(
        bytes: ArrayBufferLike,
        offset: number,
        length: number,
      ): { toString(encoding: 'hex' | 'base64'): string }
      from(text: string, encoding: 'hex' | 'base64'): Uint8Array
    }
  | undefined
