/** "Add a passkey" on the account page. Everything else there works without a script. */
import { isPasskeySupported, registerPasskey } from 'server-auth/client/webauthn'

const button = document.querySelector('#add-passkey')
const message = document.querySelector('#passkey-message')

if (isPasskeySupported()) button.hidden = false
else message.textContent = 'This browser cannot make passkeys on this page. They need https, or http://localhost.'

button.addEventListener('click', async () => {
  button.disabled = true
  message.textContent = ''
  // Leaves this page when it went well, and never throws: what went wrong is said in a sentence for people.
  const result = await registerPasskey({ redirectTo: '/account?done=passkey-added' })
  if (result.ok) return
  button.disabled = false
  button.focus()
  message.textContent = result.message
})
