/** What we use of `pkcs11js` 2.1, which is installed where it is needed only: it is compiled at its installation. */
export type Pkcs11Module = {
  PKCS11: new () => Pkcs11
} & Readonly<Record<ConstantName, number>>

/** The functions of PKCS#11, version 2.40, by their names there. */
export type Pkcs11 = {
  load(path: string): void
  close(): void
  C_Initialize(): void
  C_GetSlotList(tokenPresent: boolean): Handle[]
  C_GetTokenInfo(slot: Handle): { label: string }
  C_OpenSession(slot: Handle, flags: number): Handle
  C_CloseSession(session: Handle): void
  C_Login(session: Handle, userType: number, pin: string): void
  C_GetSessionInfo(session: Handle): object
  C_FindObjectsInit(session: Handle, template: Attribute[]): void
  C_FindObjects(session: Handle, countMax: number): Handle[]
  C_FindObjectsFinal(session: Handle): void
  C_GetAttributeValue(
    session: Handle,
    object: Handle,
    template: Attribute[],
  ): { type: number; value: Buffer }[]
  C_GenerateKeyAsync(session: Handle, mechanism: Mechanism, template: Attribute[]): Promise<Handle>
  C_EncryptInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_EncryptAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer>
  C_DecryptInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_DecryptAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer>
}

/** A slot, session or object. */
export type Handle = Buffer
/** An attribute of an object, with the value that it has or should have. */
export type Attribute = { type: number; value?: number | boolean | string | Buffer }
/** A mechanism and its parameter. */
export type Mechanism = { mechanism: number; parameter?: object }

type ConstantName =
  | 'CKA_CLASS'
  | 'CKA_DECRYPT'
  | 'CKA_ENCRYPT'
  | 'CKA_EXTRACTABLE'
  | 'CKA_ID'
  | 'CKA_KEY_TYPE'
  | 'CKA_LABEL'
  | 'CKA_PRIVATE'
  | 'CKA_SENSITIVE'
  | 'CKA_TOKEN'
  | 'CKA_VALUE_LEN'
  | 'CKF_RW_SESSION'
  | 'CKF_SERIAL_SESSION'
  | 'CKK_AES'
  | 'CKM_AES_GCM'
  | 'CKM_AES_KEY_GEN'
  | 'CKO_SECRET_KEY'
  | 'CKU_USER'
  | 'CK_PARAMS_AES_GCM_v240'

/** Loads the package; rejects where it is not installed. */
export async function loadPkcs11(): Promise<Pkcs11Module> {
  const { default: loaded } = await import('pkcs11js')
  return loaded
}
