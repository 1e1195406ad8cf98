/** What we use of the AWS SDK, an optional dependency: the sources compile where it is not installed, too. */
declare module '@aws-sdk/client-kms' {
  type Context = Readonly<Record<string, string>>
  type Command<output> = { readonly output?: output }
  type Constructor<input, output> = new (input: input) => Command<output>

  export type KMSClientConfig = {
    region?: string
    maxAttempts?: number
    endpoint?: string
    credentials?: { accessKeyId: string; secretAccessKey: string }
  }
  export type KMSClient = {
    send<output>(command: Command<output>, options: { abortSignal: AbortSignal }): Promise<output>
  }
  export type RotationsListEntry = {
    KeyMaterialId?: string
    KeyMaterialState?: string
    RotationDate?: Date
  }

  export const KMSClient: new (config: KMSClientConfig) => KMSClient
  export const GenerateDataKeyCommand: Constructor<
    { KeyId: string; KeySpec: 'AES_256'; EncryptionContext: Context },
    { Plaintext?: Uint8Array; CiphertextBlob?: Uint8Array; KeyMaterialId?: string }
  >
  export const DecryptCommand: Constructor<
    { KeyId: string; CiphertextBlob: Uint8Array; EncryptionContext: Context },
    { Plaintext?: Uint8Array; KeyMaterialId?: string }
  >
  export const ReEncryptCommand: Constructor<
    {
      CiphertextBlob: Uint8Array
      SourceKeyId: string
      SourceEncryptionContext: Context
      DestinationKeyId: string
      DestinationEncryptionContext: Context
    },
    { CiphertextBlob?: Uint8Array; SourceKeyMaterialId?: string; DestinationKeyMaterialId?: string }
  >
  export const DescribeKeyCommand: Constructor<
    { KeyId: string },
    { KeyMetadata?: { KeyState?: string; KeySpec?: string; CurrentKeyMaterialId?: string } }
  >
  export const ListKeyRotationsCommand: Constructor<
    { KeyId: string; IncludeKeyMaterial: 'ALL_KEY_MATERIAL'; Marker: string | undefined },
    { Rotations?: RotationsListEntry[]; Truncated?: boolean; NextMarker?: string }
  >
  export const RotateKeyOnDemandCommand: Constructor<{ KeyId: string }, { KeyId?: string }>
}
