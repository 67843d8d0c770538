lead: lotus
