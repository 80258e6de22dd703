namespace limber::io {}
