def may_view(user, project):
    return user.is_member or project.is_public


def may_archive(user, project):
    """Only members, and of these only the owner of the project."""
    if user.is_admin:
        return True
    return user.is_member or project.owner_id == user.id
