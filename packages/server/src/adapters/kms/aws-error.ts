import { KmsError, type KmsErrorCode } from '../../ports/kms.ts'

const codes: Readonly<Record<string, KmsErrorCode>> = {
  NotFoundException: 'unknown_key',
  IncorrectKeyException: 'unknown_key',
  InvalidCiphertextException: 'unauthenticated',
  ValidationException: 'invalid_request',
}

/** An answer or a key that is not as it must be: an operator has to look, for which the cause has the sentence. */
export const awsUnfit = (sentence: string): KmsError => new KmsError('unavailable', new Error(sentence))

/** Runs a call of the SDK. Its errors refer to the exchange, which has a data key in it: only their name and status go on, as `KmsError`. */
export async function awsCoded<result>(action: () => Promise<result>): Promise<result> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof KmsError || !(error instanceof Error)) throw error
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
    const status = $metadata?.httpStatusCode
    throw new KmsError(
      codes[name] ?? 'unavailable',
      new Error(`AWS KMS: ${name}${status === undefined ? '' : ` (${status})`}`),
    )
  }
}
