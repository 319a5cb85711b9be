/** Changes the session from the browser: the new name goes to `POST /auth/session`, whose `jwt` callback checks it. */
const form = document.querySelector('#profile')
const status = document.querySelector('#status')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const name = form.elements.name.value.trim()
  status.textContent = 'Saving …'
  try {
    const session = await updateSession({ name })
    if (!session) return location.reload()
    document.querySelector('#shown-name').textContent = session.user.name
    document.querySelector('.person').textContent = session.user.name
    document.querySelector('#session').textContent = JSON.stringify(session, null, 2)
    if (session.user.name === name) form.reset()
    status.textContent = session.user.name === name ? 'Saved.' : 'The server did not take that name.'
  } catch {
    status.textContent = 'That did not work. Please try again.'
  }
})

async function updateSession(data) {
  const { csrfToken } = await json('/auth/csrf')
  return json('/auth/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ csrfToken, data }),
  })
}

async function json(url, options) {
  const response = await fetch(url, options)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.json()
}
