import { Message } from '@a2a-js/sdk'
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server'
import { RequestMalformedError } from '@a2a-js/sdk/errors'

const legacy = new V03PushNotificationSerializer()

/**
 * Throws -32602 for a message that could start a task, but not be read back from the database in every version: a part whose data is null
 * has no content when it is read from JSON.
 */
export function checkReadable(message: Message): void {
  const value = Message.fromJSON(JSON.parse(JSON.stringify(Message.toJSON(message))))
  try {
    legacy.serialize({ payload: { $case: 'message', value } })
  } catch {
    throw new RequestMalformedError({ message: 'The message has a part without content.' })
  }
}
